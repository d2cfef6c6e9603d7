import { isObject } from '../../lib/json.ts';
import { boundedUrl } from '../url/bounded-url.ts';
import {
  clean,
  longestMemoryMs,
  type Protocol,
  ProviderFailure,
  requestedUrl,
} from './provider.ts';
import { askOnce, baseOf, type Connection, jsonOf } from './request.ts';
import { createOpinionMemory } from './verdict-cache.ts';

const threatTypes = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'];
// Web Risk names no bound. So long is what everybody between here and there should pass on (RFC 9110, 4.1).
const longestRequest = 8000;
// Web Risk sets no time for clean answers. A minute spares the quota when a client tries again and
// hardly delays a verdict.
const cleanMs = 60_000;

/**
 * Google Web Risk, Lookup API: the full URL is sent, of an overlong one what `boundedUrl` leaves. For
 * services that earn money.
 *
 * @see https://docs.cloud.google.com/web-risk/docs/reference/rest/v1/uris/search
 */
export function createWebRisk(
  options: Connection & { readonly key: string; readonly url?: string },
): Protocol {
  const base = baseOf(options.url ?? 'https://webrisk.googleapis.com');
  const memory = createOpinionMemory();
  const requestFor = (uri: string) => {
    const query = new URLSearchParams(threatTypes.map((type) => ['threatTypes', type]));
    query.set('uri', uri);
    query.set('key', options.key);
    return `${base}/v1/uris:search?${query}`;
  };
  const fits = (uri: string) => requestFor(uri).length <= longestRequest;
  const askedUrl = (destination: string) => boundedUrl(requestedUrl(destination), fits);
  return {
    name: 'webrisk',
    recall: (destination, nowMs) => memory.recall(askedUrl(destination), nowMs),
    ask: async (destination, nowMs) => {
      const uri = askedUrl(destination);
      const reply = await askOnce(options, requestFor(uri), {
        headers: { Accept: 'application/json' },
      });
      const threat = threatOf(jsonOf(reply));
      if (threat === null) {
        memory.keep(uri, clean, nowMs + cleanMs);
        return clean;
      }
      const opinion = { unsafe: true, threat: threat.types.join(', '), expression: uri } as const;
      memory.keep(uri, opinion, Math.min(threat.expiresAtMs, nowMs + longestMemoryMs));
      return opinion;
    },
  };
}

/** `{}` when nothing is known, `{"threat": {"threatTypes": […], "expireTime": "…Z"}}` otherwise. */
function threatOf(answer: unknown): { types: string[]; expiresAtMs: number } | null {
  const malformed = new ProviderFailure('malformed', 'The answer is not of the documented form.');
  if (!isObject(answer)) throw malformed;
  const { threat } = answer;
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
