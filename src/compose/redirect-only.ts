import type { Health } from '../core/health.ts';
import type { RedirectStorage } from '../core/storage.ts';
import { createRedirectOnlyApp } from '../http/redirect-only.ts';
import { createResponseCounts } from '../http/responses.ts';
import { realClock } from './runtime.ts';

const reasonTexts = {
  damage:
    'The server only redirects, because its database was damaged at the start: scans are not counted, and API ' +
    'and panel are off.',
  full:
    'The server only redirects, because the disk was full at the start: scans are not counted, and API and panel are ' +
    'off. Free some space. It then goes on with everything by itself, without a restart.',
  asked:
    'The server only redirects, because the settings ask for it: scans are not counted, and API and panel are ' +
    'off. Restart it without WAYMARK_REDIRECT_ONLY and --redirect-only to change codes and to count again.',
} as const;

/** Why a server only redirects. */
export type RedirectOnlyReason = keyof typeof reasonTexts;

/**
 * Creates the parts of a server that only redirects. It writes nothing: hits are not counted, and API and
 * panel are off.
 */
export function composeRedirectOnly(
  storage: RedirectStorage,
  health: Health,
  reason: RedirectOnlyReason,
) {
  const check = () => [reasonTexts[reason]];
  health.add({ name: 'redirect_only', severity: 'problem', check }, ...storage.conditions);
  const responses = createResponseCounts(false);
  const problem = 'the server only redirects';
  const scans = { committed: 0, buffered: 0, problem, aggregationProblem: null };
  const app = createRedirectOnlyApp({
    responses,
    metrics: {
      read: async () => ({
        health: health.read(),
        scans,
        sizes: storage.sizes(),
        nowMs: realClock.nowMs(),
        lastBackupMs: await storage.lastBackupMs(),
        work: null,
      }),
    },
  });
  return { responses, load: async () => app };
}
