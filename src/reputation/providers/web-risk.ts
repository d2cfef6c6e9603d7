import { malformed, objectOf, type Protocol, ProviderFailure, safe } from './provider.ts';
import { type GoogleConnection, jsonOf, request } from './request.ts';

const threatTypes = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];
// Web Risk documents no limit. Every HTTP hop should support this much (RFC 9110, 4.1).
const maxRequestLength = 8000;
// Web Risk sets no lifetime for safe verdicts. A minute spares the quota when a client retries.
const safeCacheMs = 60_000;

/**
 * Creates the protocol of Google Web Risk, Lookup API. Sends the whole URL; a long one without its
 * query, or only its origin. For commercial use.
 *
 * @see https://docs.cloud.google.com/web-risk/docs/reference/rest/v1/uris/search
 */
export function createWebRisk(options: GoogleConnection): Protocol {
  const { key, url: base = 'https://webrisk.googleapis.com' } = options;
  const requestUrl = (uri: string) => {
    const query = new URLSearchParams(threatTypes.map((type) => ['threatTypes', type]));
    query.set('uri', uri);
    query.set('key', key);
    return `${base}/v1/uris:search?${query}`;
  };
  const fits = (uri: string) => requestUrl(uri).length <= maxRequestLength;
  return {
    name: 'webrisk',
    ask: async (url, nowMs) => {
      const root = URL.parse('/', url)?.href ?? '';
      const uri = [url, withoutQuery(url), root].find(fits);
      if (!uri) throw new ProviderFailure('The URL is too long for Web Risk.', true);
      const headers = { Accept: 'application/json' };
      const body = jsonOf(await request(options, requestUrl(uri), { headers }));
      const expiresAtMs = threatExpiry(body);
      return expiresAtMs === null
        ? { verdict: safe, cacheMs: safeCacheMs }
        : { verdict: { unsafe: true, expression: uri }, cacheMs: expiresAtMs - nowMs };
    },
  };
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/**
 * Reads `{}` for a safe URL, or `{"threat": {"threatTypes": […], "expireTime": "…Z"}}`.
 *
 * @returns when the threat expires; null for a safe URL
 */
function threatExpiry(body: unknown): number | null {
  const { threat } = objectOf(body);
  if (threat === undefined) return null;
  const { threatTypes: types, expireTime } = objectOf(threat);
  if (!Array.isArray(types) || types.length === 0) throw malformed();
  const expiresAtMs = typeof expireTime === 'string' ? Date.parse(expireTime) : 0;
  if (Number.isNaN(expiresAtMs)) throw malformed();
  return expiresAtMs;
}
