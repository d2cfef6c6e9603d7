import {
  createVerdictCache,
  maxCacheMs,
  type Protocol,
  ProviderFailure,
  type ProviderVerdict,
  requestedUrl,
  safe,
} from './protocol.ts';
import { type Connection, isObject, jsonOf, request } from './request.ts';

// For a response without Cache-Control.
const defaultCacheMs = 60_000;

/**
 * Creates the protocol of a private service: `POST {"url": "…"}` → `{"unsafe": true|false,
 * "threat"?: "…"}`. The key is sent as `Authorization: Bearer`. A verdict is cached for a minute, or
 * as long as `Cache-Control` says.
 */
export function createHttpProvider(
  options: Connection & { readonly url: string; readonly key?: string },
): Protocol {
  const cache = createVerdictCache();
  const authorization = options.key === undefined ? {} : { Authorization: `Bearer ${options.key}` };
  return {
    name: 'http',
    cached: (destination, nowMs) => cache.get(requestedUrl(destination), nowMs),
    ask: async (destination, nowMs) => {
      const url = requestedUrl(destination);
      const response = await request(options, options.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...authorization,
        },
        body: JSON.stringify({ url }),
      });
      const verdict = verdictOf(jsonOf(response), url);
      cache.set(url, verdict, nowMs + cacheMsOf(response.headers.get('cache-control') ?? ''));
      return verdict;
    },
  };
}

function verdictOf(body: unknown, expression: string): ProviderVerdict {
  const { unsafe, threat } = isObject(body) ? body : {};
  const isThreat = threat === undefined || threat === null || typeof threat === 'string';
  if (typeof unsafe !== 'boolean' || !isThreat)
    throw new ProviderFailure('malformed', 'The response is not of the documented form.');
  if (!unsafe) return safe;
  return { unsafe: true, threat: threat?.slice(0, 64).toWellFormed() || 'UNSAFE', expression };
}

function cacheMsOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  const seconds = /\bmax-age=([0-9]{1,9})\b/i.exec(cacheControl)?.[1];
  return seconds === undefined ? defaultCacheMs : Math.min(Number(seconds) * 1_000, maxCacheMs);
}
