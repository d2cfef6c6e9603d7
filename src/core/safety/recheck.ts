import type { Flag } from '../codes/qr.ts';
import type { Clock, Reputation } from '../ports.ts';
import { flagSource } from './flag.ts';

/** A code as far as its destination's reputation goes. */
export interface CheckedCode {
  readonly qrId: number;
  readonly code: string;
  /** E-mail address of the account. */
  readonly owner: string;
  readonly destination: string;
  readonly flag: Flag | null;
}

/** One that is flagged. */
export type FlaggedCode = CheckedCode & { readonly flag: Flag };

export interface FlagStore {
  /** Codes whose id is larger, in order of their ids. */
  after(qrId: number, limit: number): Promise<CheckedCode[]>;
  /** The id of the newest code; 0 while there is none. */
  newest(): Promise<number>;
  /** Flags a code or lifts its flag, if it still leads to the destination that was checked. */
  setFlag(suspect: CheckedCode, flag: Flag | null): Promise<void>;
  /** Codes that wait to be looked at again, because their destination could not be checked fully. */
  queued(limit: number): Promise<CheckedCode[]>;
  /**
   * Has a code wait behind all others, whether or not it waits already, if it still leads to the destination
   * that was checked.
   */
  enqueue(suspect: CheckedCode, atMs: number): Promise<void>;
  /** Has a code wait no longer, if it still leads to the destination that was checked. */
  dequeue(suspect: CheckedCode): Promise<void>;
  /**
   * Blocks a code, whoever owns it, or lifts the block. Its owner can do neither.
   *
   * @returns false when there is no such code
   */
  setBlocked(code: string, blocked: boolean): Promise<boolean>;
}

/** What a look at many destinations came to. */
export interface RecheckReport {
  checked: number;
  /** How many are flagged that were not before. */
  flagged: number;
  /** How many are no longer flagged. */
  cleared: number;
  /** How many could not be checked fully. */
  incomplete: number;
}

/**
 * Looks at destinations again: a list learns of a site after the code was printed. A flagged code is
 * not changed; its short link warns instead of redirecting, and its owner is told.
 */
export function createRecheck(world: {
  store: FlagStore;
  reputation: Reputation;
  clock: Clock;
  /**
   * Whether a remote check may be in use of which the reputation knows nothing: what it has flagged stays
   * flagged then, and what waits for it goes on waiting.
   */
  maySkipRemote?: boolean;
  /** Told of each code that is flagged after the look, whether or not it was before. */
  onFlagged?: (suspect: FlaggedCode) => void;
}) {
  const { store, reputation, clock, maySkipRemote = false, onFlagged = () => {} } = world;

  /** @returns whether there is nothing left to find out */
  const look = async (suspect: CheckedCode, report: RecheckReport): Promise<boolean> => {
    const answer = await reputation.check(suspect.destination);
    report.checked++;
    if (answer.flagged) {
      const { list, expression } = answer;
      const flag = { list, expression, sinceMs: suspect.flag?.sinceMs ?? clock.nowMs() };
      onFlagged({ ...suspect, flag });
      if (suspect.flag === null) report.flagged++;
      if (!same(suspect.flag, flag)) await store.setFlag(suspect, flag);
      await store.dequeue(suspect);
      return true;
    }
    if (answer.checked !== 'fully') report.incomplete++;
    const asked = maySkipRemote && answer.checked === 'fully' ? 'locally' : answer.checked;
    const isSettled = asked === 'fully';
    const { flag } = suspect;
    if (flag !== null && !isAsked(flag, asked)) onFlagged({ ...suspect, flag });
    if (flag !== null && isAsked(flag, asked)) {
      report.cleared++;
      // First of all, so that it is asked even if nothing comes after this.
      if (!isSettled) await store.enqueue(suspect, clock.nowMs());
      await store.setFlag(suspect, null);
    }
    if (isSettled) await store.dequeue(suspect);
    return isSettled;
  };

  return {
    /**
     * Looks at every destination once.
     *
     * @param sliceSize codes between two pauses
     * @param pause lets others work; resolves false to end early
     * @param report is added to
     * @param begin id of a code: those after it come first, then the others up to it
     * @returns whether it came to the end
     */
    all: async (
      sliceSize: number,
      pause: () => Promise<boolean>,
      report: RecheckReport,
      begin = 0,
    ): Promise<boolean> => {
      const lookBetween = async (after: number, upTo: number) => {
        for (let last = after; last < upTo; ) {
          const next = await store.after(last, sliceSize);
          const slice = next.filter(({ qrId }) => qrId <= upTo);
          for (const suspect of slice) await look(suspect, report);
          const end = slice.at(-1);
          if (end === undefined) return true;
          if (!(await pause())) return false;
          last = end.qrId;
        }
        return true;
      };
      return (await lookBetween(begin, Number.POSITIVE_INFINITY)) && lookBetween(0, begin);
    },

    /**
     * Looks again at codes that wait for it, as far as one slice reaches. What could not be checked this
     * time either goes to the back, so that it holds nothing else up.
     *
     * @param goesOn asked before each; false ends it
     * @param report is added to
     */
    queued: async (
      sliceSize: number,
      goesOn: () => boolean,
      report: RecheckReport,
    ): Promise<void> => {
      for (const suspect of await store.queued(sliceSize)) {
        if (!goesOn()) break;
        const isSettled = await look(suspect, report);
        if (!isSettled) await store.enqueue(suspect, clock.nowMs());
      }
    },
  };
}

/** What nothing has been added to yet. */
export function emptyReport(): RecheckReport {
  return { checked: 0, flagged: 0, cleared: 0, incomplete: 0 };
}

/** Whether what flagged a destination has been asked again. */
function isAsked({ list }: Flag, checked: 'fully' | 'locally' | 'partly'): boolean {
  return checked === 'fully' || (checked === 'locally' && flagSource(list) !== 'remote check');
}

function same(before: Flag | null, now: Flag): boolean {
  return before?.list === now.list && before.expression === now.expression;
}
