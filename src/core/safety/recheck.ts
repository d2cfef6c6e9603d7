import type { Reputation } from '../codes/ports.ts';
import type { Flag } from '../codes/qr.ts';
import { flagSource } from '../codes/qr.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { CheckedCode, FlagStore, PausedLink } from './ports.ts';

/** Counts of a re-check. */
export interface RecheckReport {
  checked: number;
  /** Codes that were not flagged before. */
  flagged: number;
  /** Codes that are no longer flagged. */
  cleared: number;
  /** Codes that could not be checked fully. */
  incomplete: number;
  /** Codes and links at which the check failed. */
  failed: number;
}

/** Failures before the first success after which nothing is expected to succeed. */
const maxFailuresAtFirst = 100;

/** Checks stored destinations again, because a list may contain a site only after the code was created. */
export function createRecheck(deps: {
  store: FlagStore;
  reputation: Reputation;
  clock: Clock;
  /** A remote check may be in use that `reputation` lacks: its flags and the queue are kept. */
  maySkipRemote?: boolean;
  /** Called with the first code or link of a run at which the check fails. The run goes on. */
  onFailure?: (checked: string, error: unknown) => void;
}) {
  const { store, reputation, clock, maySkipRemote = false, onFailure = () => {} } = deps;

  /**
   * Checks one of many, whose failure keeps no other from being checked.
   *
   * @throws StoreUnavailable, and the error of many when nothing can be checked
   */
  const attempt = async (
    checked: string,
    report: RecheckReport,
    check: () => Promise<unknown>,
  ): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (report.checked === 0 && report.failed + 1 >= maxFailuresAtFirst) throw error;
      if (report.failed++ === 0) onFailure(checked, error);
    }
  };

  /** Returns whether the destination was checked fully. */
  const recheck = async (code: CheckedCode, report: RecheckReport): Promise<boolean> => {
    const result = await reputation.check(code.destination);
    const before = code.flag;
    report.checked++;
    if (result.flagged) {
      const { list, expression } = result;
      const flag = { list, expression, sinceMs: before?.sinceMs ?? clock.nowMs() };
      if (before === null) report.flagged++;
      if (before?.list !== list || before.expression !== expression)
        await store.setFlag(code, flag);
      await store.dequeue(code);
      return true;
    }
    if (result.checked !== 'fully') report.incomplete++;
    const checked = maySkipRemote && result.checked === 'fully' ? 'locally' : result.checked;
    if (before !== null && canClear(before, checked)) {
      report.cleared++;
      // Queued first, so that the remote check is asked even if the process ends in between.
      if (checked !== 'fully') await store.enqueue(code);
      await store.setFlag(code, null);
    }
    if (checked === 'fully') await store.dequeue(code);
    return checked === 'fully';
  };

  /** Checks the link on the page of an account's paused codes: while it is flagged, it is not shown. */
  const recheckPausedLink = async (paused: PausedLink): Promise<void> => {
    const result = await reputation.check(paused.link);
    if (result.flagged) {
      if (!paused.isFlagged) await store.setPausedLinkFlagged(paused, true);
    } else if (paused.isFlagged && result.checked === 'fully' && !maySkipRemote)
      await store.setPausedLinkFlagged(paused, false);
  };

  return {
    /**
     * Re-checks every code once, and the links on the pages of paused codes.
     *
     * @param sliceSize codes between two pauses
     * @param pause resolves false to end early
     */
    all: async (
      sliceSize: number,
      pause: () => Promise<boolean>,
    ): Promise<RecheckReport & { isComplete: boolean }> => {
      const report = emptyReport();
      for (let last = 0; ; ) {
        const slice = await store.after(last, sliceSize);
        for (const code of slice) await attempt(code.code, report, () => recheck(code, report));
        const end = slice.at(-1);
        if (end === undefined) break;
        if (!(await pause())) return { ...report, isComplete: false };
        last = end.qrId;
      }
      for (let last = 0; ; ) {
        const slice = await store.pausedLinks(last, sliceSize);
        for (const paused of slice)
          await attempt(paused.link, report, () => recheckPausedLink(paused));
        const end = slice.at(-1);
        if (end === undefined) return { ...report, isComplete: true };
        if (!(await pause())) return { ...report, isComplete: false };
        last = end.accountId;
      }
    },

    /**
     * Re-checks the first codes of the queue. Those that still cannot be checked fully go to its end.
     *
     * @param canContinue called before each; false ends it
     */
    queued: async (limit: number, canContinue: () => boolean): Promise<RecheckReport> => {
      const report = emptyReport();
      for (const code of await store.queued(limit)) {
        if (!canContinue()) break;
        let isComplete = false;
        await attempt(code.code, report, async () => {
          isComplete = await recheck(code, report);
        });
        if (!isComplete) await attempt(code.code, report, () => store.enqueue(code));
      }
      return report;
    },
  };
}

function emptyReport(): RecheckReport {
  return { checked: 0, flagged: 0, cleared: 0, incomplete: 0, failed: 0 };
}

/** Returns whether a flag may be removed: whether the check that set it has run again. */
function canClear({ list }: Flag, checked: 'fully' | 'locally' | 'partly'): boolean {
  return checked === 'fully' || (checked === 'locally' && flagSource(list) !== 'remote check');
}
