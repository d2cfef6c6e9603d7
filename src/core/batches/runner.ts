import { forEachConcurrently } from '../../lib/event-loop.ts';
import { type Account, hasActivePlan } from '../accounts/account.ts';
import { mapLabels } from '../codes/fields.ts';
import type { CreateOptions, PreparedQr } from '../codes/qrs.ts';
import { pathRefused } from '../codes/urls/typed-path.ts';
import { ApiError, Refused, reasonOf, ServerBusy, StoreUnavailable } from '../errors.ts';
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
// Half a minute: then batches of other accounts have their turn.
const maxAttempts = 60;
// Each a lease after the other.
const maxFailures = 3;

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
  /** Called when a row or a batch fails. A batch is tried again when its lease has ended. */
  onError: (error: unknown) => void;
}): BatchRunner {
  const { store, prepare, accounts, clock, sleep, concurrency, onError } = deps;
  let isClosed = false;
  let running: Promise<void> | null = null;

  /** How often the server failed at rows, by batch. */
  const failures = new Map<number, Map<number, number>>();

  /** Leaves a row for another attempt, or gives it up. It keeps no other row or batch waiting. */
  const fail = async (batch: Batch, row: number, error: unknown): Promise<void> => {
    onError(error);
    const ofBatch = failures.getOrInsertComputed(batch.id, () => new Map());
    const count = (ofBatch.get(row) ?? 0) + 1;
    ofBatch.set(row, count);
    if (count >= maxFailures) await store.refuse(batch.id, row, { kind: 'row failed' });
  };

  /**
   * Creates the code of a row, or records why not.
   * Codes are drawn at the same time, and stored in the order of the rows.
   *
   * @param earlier resolves when the row before has its outcome
   * @returns `unavailable` when the database or the check of destinations has not responded for long
   */
  const decide = async (
    batch: Batch,
    { row, destination, domain, ...labels }: BatchRow,
    earlier: Promise<unknown>,
  ): Promise<'decided' | 'unavailable'> => {
    for (let attempts = 1; !isClosed; attempts++) {
      try {
        const texts = mapLabels((name) => labels[name]);
        const options = { ...texts, domain, designId: batch.designId };
        const { qr, needsRecheck } = await prepare(batch.accountId, destination, options);
        await earlier;
        // Newest first is the order of the file, too.
        const dated = { ...qr, createdAtMs: batch.createdAtMs - row };
        const outcome = await store.createQr(batch.id, row, dated, needsRecheck);
        switch (outcome) {
          case 'stored':
          case 'decided':
            return 'decided';
          case 'path exists':
          case 'path in another case':
          case 'path reserved':
            throw pathRefused(outcome, labels.path ?? '');
          case 'taken':
          // Another code is tried.
        }
      } catch (error) {
        if (isRefusal(error)) {
          await store.refuse(batch.id, row, reasonOf(error));
          return 'decided';
        }
        // The renderer rejects all jobs at the end.
        if (isClosed) break;
        const isUnavailable = isTemporary(error);
        if (isUnavailable && attempts < maxAttempts) await sleep(retryMs);
        else if (isUnavailable && !(error instanceof ServerBusy)) return 'unavailable';
        else {
          // Rendering it may end a worker each time, which is `ServerBusy`.
          await fail(batch, row, error);
          return 'decided';
        }
      }
    }
    return 'decided';
  };

  /** Keeps a batch for this process while it creates the codes. */
  const holdLease = ({ id, accountId }: Batch, leasedUntilMs: number) => {
    let untilMs = leasedUntilMs;
    let isHeld = true;
    let isGivenUp = false;
    const renew = async (nextMs: number) => {
      isHeld &&= await store.renew(id, untilMs, nextMs);
      untilMs = nextMs;
    };
    return {
      /** Returns whether another process has the batch, or it was stopped. */
      isLost: () => !isHeld,
      /** Renews the lease. An expired plan ends the batch. */
      mayContinue: async (): Promise<boolean> => {
        const nowMs = clock.nowMs();
        if (isClosed) return false;
        await renew(nowMs + leaseMs);
        if (!isHeld) return false;
        const account = await accounts.find(accountId);
        if (account !== null && hasActivePlan(account, nowMs)) return true;
        await store.end(id, 'stopped', { kind: 'plan expired' });
        return false;
      },
      release: () => renew(0),
      /** Takes no more rows until the lease has ended. */
      giveUp: () => {
        isGivenUp = true;
      },
      isGivenUp: () => isGivenUp,
    };
  };
  type Lease = ReturnType<typeof holdLease>;

  /** Returns the rows without an outcome, in order, while the batch runs. */
  async function* pendingRows(batch: Batch, lease: Lease): AsyncGenerator<BatchRow> {
    let renewAtMs = 0;
    for (let afterRow = 0; ; ) {
      const rows = await store.rows(batch.id, 'pending', afterRow, rowsPerRead);
      for (const row of rows) {
        if (clock.monotonicMs() >= renewAtMs) {
          renewAtMs = clock.monotonicMs() + renewMs;
          if (!(await lease.mayContinue())) return;
        }
        if (lease.isGivenUp()) return;
        yield row;
        afterRow = row.row;
      }
      if (rows.length === 0) return;
    }
  }

  /** Creates the codes of a leased batch. Returns false when it has to be continued, here or elsewhere. */
  const work = async (
    batch: Batch,
    leasedUntilMs: number,
    onProgress: (decided: number) => void,
  ): Promise<boolean> => {
    const lease = holdLease(batch, leasedUntilMs);
    let decided = decidedRows(batch);
    let earlier: Promise<unknown> = Promise.resolve();
    await forEachConcurrently(pendingRows(batch, lease), concurrency, async (row) => {
      const outcome = decide(batch, row, earlier);
      earlier = outcome.catch(() => {});
      if ((await outcome) === 'unavailable') lease.giveUp();
      else onProgress(++decided);
    });
    if (lease.isLost()) return false;
    if (isClosed) {
      await lease.release();
      return true;
    }
    if ((await store.rows(batch.id, 'pending', 0, 1)).length > 0) return false;
    failures.delete(batch.id);
    await store.end(batch.id, 'done', null);
    return true;
  };

  const runAll = async () => {
    while (!isClosed) {
      const nowMs = clock.nowMs();
      const batch = await store.lease(nowMs, nowMs + leaseMs);
      if (batch === null) return;
      // Until its lease ends, those of other accounts have their turn.
      await work(batch, nowMs + leaseMs, () => {}).catch(onError);
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
      return batch !== null && (await work(batch, nowMs + leaseMs, onProgress));
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Refused || (error instanceof ApiError && error.code !== 'unavailable');
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof ServerBusy ||
    error instanceof StoreUnavailable ||
    (error instanceof ApiError && error.code === 'unavailable')
  );
}
