import { createCache } from '../../lib/cache.ts';
import { hashOf, v5Expressions } from '../url/expressions.ts';
import { type HashSearch, hashSearchFromJson, hashSearchFromProtobuf } from './hash-search.ts';
import { MalformedMessage } from './protobuf.ts';
import {
  clean,
  type Opinion,
  type Protocol,
  ProviderFailure,
  rememberedOpinions,
} from './provider.ts';
import { askOnce, baseOf, type Connection, isJson, jsonOf, type ProviderReply } from './request.ts';

/** What is known of all hashes that begin with a prefix. */
interface KnownPrefix {
  readonly threats: ReadonlyMap<string, readonly string[]>;
  readonly untilMs: number;
}

interface Candidate {
  readonly expression: string;
  /** Hexadecimal. */
  readonly hash: string;
  readonly prefix: string;
}

const prefixDigits = 8;

/**
 * Google Safe Browsing v5, `hashes:search`, in the mode that keeps no lists: only the first four
 * bytes of hashes leave the machine, and every answer, also an empty one, is remembered for each
 * prefix as long as it says. For operators that do not earn money with it.
 *
 * @see https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search
 */
export function createSafeBrowsingV5(
  options: Connection & { readonly key: string; readonly url?: string },
): Protocol {
  const base = baseOf(options.url ?? 'https://safebrowsing.googleapis.com');
  const cache = createCache<string, KnownPrefix>(rememberedOpinions);

  const judge = (candidates: readonly Candidate[], nowMs: number) => {
    const unknown: string[] = [];
    for (const { expression, hash, prefix } of candidates) {
      const known = cache.get(prefix);
      if (known === undefined || nowMs >= known.untilMs) {
        unknown.push(prefix);
        continue;
      }
      const threats = known.threats.get(hash);
      if (threats === undefined) continue;
      const opinion: Opinion = { unsafe: true, threat: threats.join(', '), expression };
      return { opinion, unknown: [] };
    }
    return { opinion: unknown.length === 0 ? clean : null, unknown: [...new Set(unknown)] };
  };

  return {
    name: 'v5',
    recall: (destination, nowMs) => judge(candidatesOf(destination), nowMs).opinion,
    ask: async (destination, nowMs) => {
      const candidates = candidatesOf(destination);
      const { unknown } = judge(candidates, nowMs);
      const query = new URLSearchParams(
        unknown.map((prefix) => ['hashPrefixes', inBase64(prefix)]),
      );
      query.set('key', options.key);
      const reply = await askOnce(options, `${base}/v5/hashes:search?${query}`, {});
      const { threats, cacheMs } = read(reply);
      for (const prefix of unknown) {
        const own = [...threats].filter(([hash]) => hash.startsWith(prefix));
        cache.set(prefix, { threats: new Map(own), untilMs: nowMs + cacheMs });
      }
      return opinionOf(candidates, threats);
    },
  };
}

/** Other hashes with the same prefix belong to someone else's URL. */
function opinionOf(candidates: readonly Candidate[], threats: HashSearch['threats']): Opinion {
  for (const { expression, hash } of candidates) {
    const types = threats.get(hash);
    if (types !== undefined) return { unsafe: true, threat: types.join(', '), expression };
  }
  return clean;
}

function candidatesOf(destination: string): Candidate[] {
  return v5Expressions(destination).map((expression) => {
    const hash = Buffer.from(hashOf(expression)).toString('hex');
    return { expression, hash, prefix: hash.slice(0, prefixDigits) };
  });
}

function inBase64(prefix: string): string {
  return Buffer.from(prefix, 'hex').toString('base64');
}

function read(reply: ProviderReply): HashSearch {
  const type = reply.headers.get('content-type') ?? '';
  // What some gateway between here and the provider answers could by chance be a valid message, and
  // no bytes at all always are one.
  const isStrange = /^text\/html\b/i.test(type);
  if (isStrange || (reply.body.length === 0 && !/protobuf|octet-stream/i.test(type))) {
    throw new ProviderFailure('malformed', 'The answer is empty or a web page.');
  }
  try {
    return isJson(reply) ? hashSearchFromJson(jsonOf(reply)) : hashSearchFromProtobuf(reply.body);
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    throw new ProviderFailure(
      'malformed',
      `The answer is not of the documented form. ${error.message}`,
    );
  }
}
