import { boundedUrl } from '../url/expressions.ts';
import {
  createVerdictCache,
  maxCacheMs,
  type Protocol,
  ProviderFailure,
  requestedUrl,
  safe,
} from './protocol.ts';
import { type Connection, isObject, jsonOf, request, withoutTrailingSlashes } from './request.ts';

const threatTypes = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];
// Web Risk documents no limit. Every HTTP hop should support this much (RFC 9110, 4.1).
const maxRequestLength = 8000;
// Web Risk sets no lifetime for safe verdicts. A minute spares the quota when a client retries.
const safeCacheMs = 60_000;

/**
 * Creates the protocol of Google Web Risk, Lookup API: sends the whole URL, or what `boundedUrl`
 * leaves of a long one. For commercial use.
 *
 * @see https://docs.cloud.google.com/web-risk/docs/reference/rest/v1/uris/search
 */
export function createWebRisk(
  options: Connection & { readonly key: string; readonly url?: string },
): Protocol {
  const base = withoutTrailingSlashes(options.url ?? 'https://webrisk.googleapis.com');
  const cache = createVerdictCache();
  const requestFor = (uri: string) => {
    const query = new URLSearchParams(threatTypes.map((type) => ['threatTypes', type]));
    query.set('uri', uri);
    query.set('key', options.key);
    return `${base}/v1/uris:search?${query}`;
  };
  const fits = (uri: string) => requestFor(uri).length <= maxRequestLength;
  const askedUrl = (destination: string) => boundedUrl(requestedUrl(destination), fits);
  return {
    name: 'webrisk',
    cached: (destination, nowMs) => cache.get(askedUrl(destination), nowMs),
    ask: async (destination, nowMs) => {
      const uri = askedUrl(destination);
      const headers = { Accept: 'application/json' };
      const threat = threatOf(jsonOf(await request(options, requestFor(uri), { headers })));
      if (threat === null) {
        cache.set(uri, safe, nowMs + safeCacheMs);
        return safe;
      }
      const verdict = { unsafe: true, threat: threat.types.join(', '), expression: uri } as const;
      cache.set(uri, verdict, Math.min(threat.expiresAtMs, nowMs + maxCacheMs));
      return verdict;
    },
  };
}

/** Reads `{}` for a safe URL, or `{"threat": {"threatTypes": […], "expireTime": "…Z"}}`. */
function threatOf(body: unknown): { types: string[]; expiresAtMs: number } | null {
  const malformed = new ProviderFailure('malformed', 'The response is not of the documented form.');
  if (!isObject(body)) throw malformed;
  const { threat } = body;
  if (threat === undefined) return null;
  if (!isObject(threat)) throw malformed;
  const { threatTypes: types, expireTime } = threat;
  if (!Array.isArray(types) || types.length === 0) throw malformed;
  if (!types.every((type) => typeof type === 'string' && /^[A-Z_]{1,64}$/.test(type)))
    throw malformed;
  const expiresAtMs = typeof expireTime === 'string' ? Date.parse(expireTime) : 0;
  if (Number.isNaN(expiresAtMs)) throw malformed;
  return { types: types.map(String), expiresAtMs };
}
