import { createCache } from '../../lib/cache.ts';
import { hashOf, v5Expressions } from '../url/expressions.ts';
import { type HashSearch, hashSearchFromJson, hashSearchFromProtobuf } from './hash-search.ts';
import { MalformedMessage } from './protobuf.ts';
import {
  cacheCapacity,
  type Protocol,
  ProviderFailure,
  type ProviderVerdict,
  safe,
} from './protocol.ts';
import {
  type Connection,
  isJson,
  jsonOf,
  type ProviderResponse,
  request,
  withoutTrailingSlashes,
} from './request.ts';

/** Cached threats among all full hashes with one prefix. */
interface CachedPrefix {
  readonly threats: HashSearch['threats'];
  readonly untilMs: number;
}

interface Candidate {
  readonly expression: string;
  /** Full hash in hexadecimal. */
  readonly hash: string;
  readonly prefix: string;
}

const prefixDigits = 8;

/**
 * Creates the protocol of Google Safe Browsing v5, `hashes:search`, without local lists: sends the first
 * four bytes of hashes, and caches each prefix as long as the response says. For non-commercial use.
 *
 * @see https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search
 */
export function createSafeBrowsingV5(
  options: Connection & { readonly key: string; readonly url?: string },
): Protocol {
  const base = withoutTrailingSlashes(options.url ?? 'https://safebrowsing.googleapis.com');
  const cache = createCache<string, CachedPrefix>(cacheCapacity);

  /** Looks up candidates in the cache: a verdict if they have one, and the prefixes that are missing. */
  const lookUp = (candidates: readonly Candidate[], nowMs: number) => {
    const missing: string[] = [];
    for (const candidate of candidates) {
      const cached = cache.get(candidate.prefix);
      if (cached === undefined || nowMs >= cached.untilMs) {
        missing.push(candidate.prefix);
        continue;
      }
      const verdict = verdictOf([candidate], cached.threats);
      if (verdict.unsafe) return { verdict, missing: [] };
    }
    return { verdict: missing.length === 0 ? safe : null, missing: [...new Set(missing)] };
  };

  return {
    name: 'v5',
    cached: (destination, nowMs) => lookUp(candidatesOf(destination), nowMs).verdict,
    ask: async (destination, nowMs) => {
      const candidates = candidatesOf(destination);
      const { missing } = lookUp(candidates, nowMs);
      const query = new URLSearchParams(
        missing.map((prefix) => ['hashPrefixes', Buffer.from(prefix, 'hex').toString('base64')]),
      );
      query.set('key', options.key);
      const response = await request(options, `${base}/v5/hashes:search?${query}`, {});
      const { threats, cacheMs } = parse(response);
      for (const prefix of missing) {
        const own = [...threats].filter(([hash]) => hash.startsWith(prefix));
        cache.set(prefix, { threats: new Map(own), untilMs: nowMs + cacheMs });
      }
      return verdictOf(candidates, threats);
    },
  };
}

/** Other full hashes with the same prefix belong to other URLs. */
function verdictOf(
  candidates: readonly Candidate[],
  threats: HashSearch['threats'],
): ProviderVerdict {
  for (const { expression, hash } of candidates) {
    const types = threats.get(hash);
    if (types !== undefined) return { unsafe: true, threat: types.join(', '), expression };
  }
  return safe;
}

function candidatesOf(destination: string): Candidate[] {
  return v5Expressions(destination).map((expression) => {
    const hash = Buffer.from(hashOf(expression)).toString('hex');
    return { expression, hash, prefix: hash.slice(0, prefixDigits) };
  });
}

function parse(response: ProviderResponse): HashSearch {
  const type = response.headers.get('content-type') ?? '';
  // The page of a gateway could be a valid message by chance, and an empty body always is one.
  const isPage = /^text\/html\b/i.test(type);
  if (isPage || (response.body.length === 0 && !/protobuf|octet-stream/i.test(type)))
    throw new ProviderFailure('malformed', 'The response is empty or a web page.');
  try {
    return isJson(response)
      ? hashSearchFromJson(jsonOf(response))
      : hashSearchFromProtobuf(response.body);
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    throw new ProviderFailure(
      'malformed',
      `The response is not of the documented form. ${error.message}`,
    );
  }
}
