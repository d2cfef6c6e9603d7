import type { Logger } from '../lib/logger.ts';
import { RendererBusy, StoreUnavailable } from './ports.ts';

/**
 * Tells what kind of failure ended a request that nobody refused, and logs what it was: clients are told no
 * more than the kind.
 *
 * @returns `busy` for what passes by itself, where nothing was changed; `broken` for a fault of ours
 */
export function logFailure(thrown: unknown, log: Logger): 'busy' | 'broken' {
  if (thrown instanceof RendererBusy || thrown instanceof StoreUnavailable) {
    log.warn(thrown.message, thrown.cause instanceof Error ? { cause: thrown.cause.message } : {});
    return 'busy';
  }
  log.error('request failed', { cause: causeOf(thrown) });
  return 'broken';
}

function causeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : '';
  return `${thrown.stack ?? thrown.message}${cause}`;
}
