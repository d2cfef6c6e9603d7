import { forEachConcurrently, yieldToEventLoop } from '../../lib/event-loop.ts';
import { type Account, hasActivePlan } from '../accounts/account.ts';
import type { CheckedDestination } from '../codes/urls/destination-check.ts';
import { Refused, reasonOf } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { Reason } from '../reasons.ts';
import type { BulkEdit, CodeEdit } from './bulk-edit.ts';
import type { BulkEditStore } from './ports.ts';

export interface BulkEditRunner {
  /** Makes, or undoes, the edits that no process works on, in the background. */
  wake(): void;
  /**
   * Makes or undoes an edit until it ends, or another process has the account's turn.
   * What fails is reported, and continued in some seconds.
   *
   * @param heldUntilMs until when the caller has the account's turn
   */
  run(edit: Pick<BulkEdit, 'id' | 'accountId' | 'change'>, heldUntilMs: number): Promise<void>;
  /** Stops after the current codes. The edits continue in the next process. */
  close(): Promise<void>;
}

// An edit of a process that was killed waits as long for the next one.
const leaseMs = 10_000;
const renewMs = 3000;
// A few milliseconds of work, during which other requests wait.
const codesPerWrite = 100;
// A remote check responds in about 50 ms.
const concurrentChecks = 8;

interface CheckedEdits {
  readonly edits: readonly CodeEdit[];
  readonly refused: readonly { readonly qrId: number; readonly reason: Reason }[];
}

/**
 * Creates the runner of bulk edits.
 * The changes of some codes and what has become of them are stored in one transaction, so that the next process
 * continues where an earlier one ended.
 */
export function createBulkEditRunner(deps: {
  store: BulkEditStore;
  accounts: { find(id: number): Promise<Account | null> };
  checkDestination: (url: string) => Promise<CheckedDestination>;
  clock: Clock;
  /** Called when an edit is interrupted. It is continued when its lease has ended. */
  onError: (error: unknown) => void;
}): BulkEditRunner {
  const { store, accounts, checkDestination, clock, onError } = deps;
  const running = new Set<Promise<void>>();
  let isClosed = false;
  let isAwake = false;

  /** Keeps the turn of an account for this process. */
  const holdTurn = (accountId: number, fromMs: number) => {
    let untilMs = fromMs;
    let isHeld = true;
    let renewAtMs = 0;
    return {
      /** Extends the turn from time to time. Returns false when another process has it. */
      keep: async (): Promise<boolean> => {
        if (!isHeld || clock.monotonicMs() < renewAtMs) return isHeld;
        renewAtMs = clock.monotonicMs() + renewMs;
        const nextMs = clock.nowMs() + leaseMs;
        isHeld = await store.renew(accountId, untilMs, nextMs);
        untilMs = nextMs;
        return isHeld;
      },
      release: () => store.release(accountId, untilMs),
    };
  };

  /** Checks the destinations that need it, each once. One that cannot be checked now is left out: an edit ends. */
  const check = async (
    edits: readonly CodeEdit[],
    keepTurn: () => Promise<boolean>,
  ): Promise<CheckedEdits> => {
    const checks = new Map<string, Promise<CheckedDestination | Reason>>();
    const checkOnce = (url: string) =>
      checks.getOrInsertComputed(url, () => checkDestination(url).catch(reasonOf));
    await forEachConcurrently(edits, concurrentChecks, async ({ after, needsRecheck }) => {
      if (needsRecheck && (await keepTurn())) await checkOnce(after);
    });
    const checked: CodeEdit[] = [];
    const refused: { qrId: number; reason: Reason }[] = [];
    for (const edit of edits) {
      const result = await checks.get(edit.after);
      if (result === undefined) checked.push(edit);
      else if ('kind' in result) refused.push({ qrId: edit.qrId, reason: result });
      else checked.push({ ...edit, needsRecheck: result.needsRecheck });
    }
    return { edits: checked, refused };
  };

  /** Returns why an edit cannot go on, or null. */
  const problemOf = async ({
    accountId,
    change,
  }: Pick<BulkEdit, 'accountId' | 'change'>): Promise<Reason | null> => {
    if (change.kind !== 'replace') return null;
    const account = await accounts.find(accountId);
    return account !== null && hasActivePlan(account, clock.nowMs())
      ? null
      : { kind: 'plan expired' };
  };

  const work: BulkEditRunner['run'] = async (edit, heldUntilMs) => {
    const turn = holdTurn(edit.accountId, heldUntilMs);
    for (let afterQrId = 0; ; ) {
      if (isClosed) return turn.release();
      if (!(await turn.keep())) return;
      const edits = await store.pending(edit.id, afterQrId, codesPerWrite);
      const last = edits.at(-1);
      if (last === undefined) return store.end(edit.id, null);
      const problem = await problemOf(edit);
      if (problem !== null) return store.end(edit.id, problem);
      const checked = await check(edits, turn.keep);
      if (!(await turn.keep())) return;
      try {
        await store.make(edit.id, checked.edits, checked.refused, clock.nowMs());
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return store.end(edit.id, { kind: 'editor without a right' });
      }
      afterQrId = last.qrId;
      await yieldToEventLoop();
    }
  };

  const run: BulkEditRunner['run'] = (...edit) => {
    const worked = work(...edit)
      .catch(onError)
      .finally(() => running.delete(worked));
    running.add(worked);
    return worked;
  };

  const runAll = async () => {
    while (!isClosed) {
      const untilMs = clock.nowMs() + leaseMs;
      const edit = await store.leaseUnfinished(clock.nowMs(), untilMs);
      if (edit === null) return;
      await run(edit, untilMs);
    }
  };

  return {
    run,
    wake: () => {
      if (isAwake) return;
      isAwake = true;
      const awake = runAll()
        .catch(onError)
        .finally(() => {
          isAwake = false;
          running.delete(awake);
        });
      running.add(awake);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(running);
    },
  };
}
