import { malformed, objectOf, type Protocol, type ProviderVerdict, safe } from './provider.ts';
import { type Connection, jsonOf, request } from './request.ts';

// For a response without Cache-Control.
const defaultCacheMs = 60_000;

/**
 * Creates the protocol of a private service: `POST {"url": "…"}` → `{"unsafe": true|false}`.
 * The key is sent as `Authorization: Bearer`. A verdict is cached for a minute, or
 * as long as `Cache-Control` says.
 */
export function createHttpProtocol(
  options: Connection & { readonly url: string; readonly key?: string },
): Protocol {
  const authorization = options.key ? { Authorization: `Bearer ${options.key}` } : {};
  return {
    name: 'http',
    ask: async (url) => {
      const response = await request(options, options.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...authorization,
        },
        body: JSON.stringify({ url }),
      });
      return {
        verdict: verdictOf(jsonOf(response), url),
        cacheMs: cacheMsOf(response.headers.get('cache-control') ?? ''),
      };
    },
  };
}

function verdictOf(body: unknown, url: string): ProviderVerdict {
  const { unsafe } = objectOf(body);
  if (typeof unsafe !== 'boolean') throw malformed();
  return unsafe ? { unsafe, expression: url } : safe;
}

function cacheMsOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  const seconds = /\bmax-age=([0-9]{1,9})\b/i.exec(cacheControl)?.[1];
  return seconds === undefined ? defaultCacheMs : Number(seconds) * 1_000;
}
