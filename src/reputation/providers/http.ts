import { malformed, objectOf, type Protocol, type ProviderVerdict, safe } from './provider.ts';
import { type Connection, jsonOf, request } from './request.ts';

// Spares the service when a client retries.
const cacheMs = 60_000;

/**
 * Creates the protocol of a private service: `POST {"url": "…"}` → `{"unsafe": true|false}`.
 * The key is sent as `Authorization: Bearer`.
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
      return { verdict: verdictOf(jsonOf(response), url), cacheMs };
    },
  };
}

function verdictOf(body: unknown, url: string): ProviderVerdict {
  const { unsafe } = objectOf(body);
  if (typeof unsafe !== 'boolean') throw malformed();
  return unsafe ? { unsafe, expression: url } : safe;
}
