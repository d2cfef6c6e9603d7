import { createCache } from '../../lib/cache.ts';
import { hashOf } from '../url/expressions.ts';
import { type Opinion, rememberedOpinions } from './provider.ts';

/** Opinions on single URLs, for protocols that are asked about one URL at a time. */
export interface OpinionMemory {
  recall(url: string, nowMs: number): Opinion | null;
  /** Keeps an opinion until an instant in milliseconds; from then on it is never recalled. */
  keep(url: string, opinion: Opinion, untilMs: number): void;
}

/** Bounded in number and, because hashes stand for the URLs, in size. */
export function createOpinionMemory(): OpinionMemory {
  const cache = createCache<string, { opinion: Opinion; untilMs: number }>(rememberedOpinions);
  const keyOf = (url: string) => Buffer.from(hashOf(url)).toString('latin1');
  return {
    recall: (url, nowMs) => {
      const kept = cache.get(keyOf(url));
      return kept !== undefined && nowMs < kept.untilMs ? kept.opinion : null;
    },
    keep: (url, opinion, untilMs) => cache.set(keyOf(url), { opinion, untilMs }),
  };
}
