import { isObject } from '../../lib/json.ts';
import {
  clean,
  longestMemoryMs,
  type Opinion,
  type Protocol,
  ProviderFailure,
  requestedUrl,
} from './provider.ts';
import { askOnce, type Connection, jsonOf } from './request.ts';
import { createOpinionMemory } from './verdict-cache.ts';

// What holds for an answer that says nothing about its age.
const usualMemoryMs = 60_000;

/**
 * A private service: `POST {"url": "…"}`, answered by `{"unsafe": true|false, "threat"?: "…"}`. The
 * key, if there is one, goes as `Authorization: Bearer`. An answer is remembered for a minute, or as
 * its `Cache-Control: max-age` or `no-store` says.
 */
export function createHttpProvider(
  options: Connection & { readonly url: string; readonly key?: string },
): Protocol {
  const memory = createOpinionMemory();
  const authorization = options.key === undefined ? {} : { Authorization: `Bearer ${options.key}` };
  return {
    name: 'http',
    recall: (destination, nowMs) => memory.recall(requestedUrl(destination), nowMs),
    ask: async (destination, nowMs) => {
      const url = requestedUrl(destination);
      const reply = await askOnce(options, options.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          ...authorization,
        },
        body: JSON.stringify({ url }),
      });
      const opinion = opinionOf(jsonOf(reply), url);
      memory.keep(url, opinion, nowMs + memoryMs(reply.headers.get('cache-control') ?? ''));
      return opinion;
    },
  };
}

function opinionOf(answer: unknown, expression: string): Opinion {
  const { unsafe, threat } = isObject(answer) ? answer : {};
  const isThreat = threat === undefined || threat === null || typeof threat === 'string';
  if (typeof unsafe !== 'boolean' || !isThreat) {
    throw new ProviderFailure('malformed', 'The answer is not of the documented form.');
  }
  if (!unsafe) return clean;
  return { unsafe: true, threat: threat?.slice(0, 64).toWellFormed() || 'UNSAFE', expression };
}

function memoryMs(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0;
  const seconds = /\bmax-age=([0-9]{1,9})\b/i.exec(cacheControl)?.[1];
  if (seconds === undefined) return usualMemoryMs;
  return Math.min(Number(seconds) * 1_000, longestMemoryMs);
}
