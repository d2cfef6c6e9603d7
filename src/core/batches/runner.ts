import { forEachConcurrently } from '../../lib/event-loop.ts';
import { type Account, hasActivePlan } from '../accounts/account.ts';
import { mapLabels } from '../codes/fields.ts';
import type { CreateOptions, PreparedQr } from '../codes/qrs.ts';
import { pathRefused } from '../codes/urls/typed-path.ts';
import { ApiError, reasonOf, ServerBusy, StoreUnavailable } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { type Batch, type BatchRow, decidedRows } from './batch.ts';
import type { BatchStore } from './ports.ts';

export interface BatchRunner {
  /** Runs the batches that no process runs, in the background. */
  wake(): void;
  /**
   * Runs a batch to its end.
   *
   * @param onProgress called with the number of rows that have an outcome
   * @returns false when another process has it leased
   */
  run(batchId: number, onProgress: (decided: number) => void): Promise<boolean>;
  /** Stops after the current rows. Their batches continue in the next process. */
  close(): Promise<void>;
}

// A batch of a process that was killed waits as long for the next one.
const leaseMs = 10_000;
const renewMs = 3000;

const rowsPerRead = 100;
// The database is locked or full, or the queue of the renderer is.
const retryMs = 500;

/**
 * Creates the runner of batches.
 * Each row is created like a single code; the code and the outcome of its row are stored in one transaction, so that
 * the next process continues where an earlier one ended.
 *
 * @param deps.sleep waits for milliseconds
 * @param deps.concurrency rows that are created at the same time, as many as the renderer has workers
 */
export function createBatchRunner(deps: {
  store: BatchStore;
  prepare: (accountId: number, url: string, options: CreateOptions) => Promise<PreparedQr>;
  accounts: { find(id: number): Promise<Account | null> };
  clock: Clock;
  sleep: (ms: number) => Promise<void>;
  concurrency: number;
  /** Called when a batch fails. The next `wake` tries again. */
  onError: (error: unknown) => void;
}): BatchRunner {
  const { store, prepare, accounts, clock, sleep, concurrency, onError } = deps;
  let isClosed = false;
  let running: Promise<void> | null = null;

  /** Creates the code of a row, or records why not. */
  const decide = async (batch: Batch, { row, destination, ...labels }: BatchRow) => {
    while (!isClosed) {
      try {
        const options = { ...mapLabels((name) => labels[name]), designId: batch.designId };
        const { qr, needsRecheck } = await prepare(batch.accountId, destination, options);
        const outcome = await store.createQr(batch.id, row, qr, needsRecheck);
        if (outcome === 'path exists' || outcome === 'path reserved')
          throw pathRefused(outcome, labels.path ?? '');
        if (outcome !== 'taken') return;
      } catch (error) {
        if (isTemporary(error)) {
          // The renderer rejects all jobs at the end.
          if (!isClosed) await sleep(retryMs);
        } else return store.refuse(batch.id, row, reasonOf(error));
      }
    }
  };

  /** Returns the rows without an outcome, in order, while the batch runs. */
  async function* pendingRows(batch: Batch): AsyncGenerator<BatchRow> {
    let renewAtMs = 0;
    for (let afterRow = 0; ; ) {
      const rows = await store.rows(batch.id, 'pending', afterRow, rowsPerRead);
      for (const row of rows) {
        if (clock.monotonicMs() >= renewAtMs) {
          renewAtMs = clock.monotonicMs() + renewMs;
          if (!(await mayContinue(batch))) return;
        }
        yield row;
        afterRow = row.row;
      }
      if (rows.length === 0) return;
    }
  }

  /** Renews the lease. An expired plan ends the batch. */
  const mayContinue = async ({ id, accountId }: Batch): Promise<boolean> => {
    const nowMs = clock.nowMs();
    if (isClosed || !(await store.renew(id, nowMs + leaseMs))) return false;
    const account = await accounts.find(accountId);
    if (account !== null && hasActivePlan(account, nowMs)) return true;
    await store.end(id, 'stopped', { kind: 'plan expired' });
    return false;
  };

  const work = async (batch: Batch, onProgress: (decided: number) => void): Promise<void> => {
    let decided = decidedRows(batch);
    await forEachConcurrently(pendingRows(batch), concurrency, async (row) => {
      await decide(batch, row);
      onProgress(++decided);
    });
    if (isClosed) await store.renew(batch.id, 0);
    else if ((await store.rows(batch.id, 'pending', 0, 1)).length === 0)
      await store.end(batch.id, 'done', null);
  };

  const runAll = async () => {
    while (!isClosed) {
      const nowMs = clock.nowMs();
      const batch = await store.lease(nowMs, nowMs + leaseMs);
      if (batch === null) return;
      await work(batch, () => {});
    }
  };

  return {
    wake: () => {
      running ??= runAll()
        .catch(onError)
        .finally(() => {
          running = null;
        });
    },
    run: async (batchId, onProgress) => {
      const nowMs = clock.nowMs();
      const batch = await store.lease(nowMs, nowMs + leaseMs, batchId);
      if (batch === null) return false;
      await work(batch, onProgress);
      return true;
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof ServerBusy ||
    error instanceof StoreUnavailable ||
    (error instanceof ApiError && error.code === 'unavailable')
  );
}
