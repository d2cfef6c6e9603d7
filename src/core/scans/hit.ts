import { createCache } from '../../lib/cache.ts';
import { kindOfAgent } from './agent.ts';

/**
 * Kinds of hits on a short link. A scan is a GET that a person's device made to follow the link. All
 * other kinds are counted separately: they are redirected too, but for `warning`, which is a GET of a person's device
 * that got the warning page instead.
 * Their order is stored.
 */
export const hitKinds = ['scan', 'head', 'prefetch', 'preview', 'crawler', 'warning'] as const;
export type HitKind = (typeof hitKinds)[number];
/** Kinds that {@link classifyHit} finds in a request. */
export type RequestKind = Exclude<HitKind, 'warning'>;
/** Kinds that are not counted in `scans`. The panel shows them. */
export type UncountedKind = Exclude<HitKind, 'scan'>;

// Bounds the cost of a match. What is behind it names nobody.
const maxAgentLength = 512;

// Few agents make most of the scans, and matching one takes a twentieth of a redirect.
const kindsByAgent = createCache<string, RequestKind>(1000);

/** Classifies a request to a short link. Only the kind is stored. */
export function classifyHit(method: string, headers: Headers): RequestKind {
  if (method === 'HEAD') return 'head';
  if (purposeHeaders.some((name) => isPrefetch(headers.get(name)))) return 'prefetch';
  const agent = headers.get('user-agent')?.slice(0, maxAgentLength);
  if (agent === undefined || agent === '') return 'scan';
  const known = kindsByAgent.get(agent);
  if (known !== undefined) return known;
  const kind = kindOfAgent(agent);
  const hitKind = kind === 'person' ? 'scan' : kind;
  kindsByAgent.set(agent, hitKind);
  return hitKind;
}

// The Fetch standard's, and those of older browsers: WebKit sends X-Purpose, Gecko X-Moz.
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Matches values such as `prefetch;prerender` and `preview`. */
function isPrefetch(purpose: string | null): boolean {
  return purpose !== null && /\b(prefetch|prerender|preview)\b/i.test(purpose);
}
