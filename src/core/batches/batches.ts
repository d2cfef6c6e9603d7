import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { mapLabels } from '../codes/fields.ts';
import type { CheckedDestination } from '../codes/qrs.ts';
import type { ReadabilityResult } from '../designs/design.ts';
import type { DesignStore, RendererFor } from '../designs/ports.ts';
import { ApiError, InvalidInput } from '../errors.ts';
import { requesterOf } from '../fair-queue.ts';
import type { Clock } from '../ports.ts';
import type { Batch, BatchRow, BatchRowFilter, BatchRowOutcome } from './batch.ts';
import type { BatchStore } from './ports.ts';
import type { BatchRunner } from './runner.ts';
import { parseTable } from './table.ts';

/** A table whose rows are checked. */
export interface CheckedTable {
  /** The design of the codes. */
  readonly designId: number;
  readonly rows: readonly BatchRow[];
  /** Readability of the design with a short link like those of the codes. */
  readonly readability: ReadabilityResult;
}

export type Batches = ReturnType<typeof createBatches>;

// A remote check responds in about 50 ms.
const concurrentChecks = 8;
// About a millisecond of work.
const checksPerTick = 20;
const pollMs = 1000;

/** Creates many codes from a table: checks it first, and then creates the codes in the background. */
export function createBatches(deps: {
  store: BatchStore;
  designs: Pick<DesignStore, 'find' | 'findDefault'>;
  rendererFor: RendererFor<'checkReadability'>;
  checkDestination: (url: string) => Promise<CheckedDestination>;
  runner: BatchRunner;
  clock: Clock;
  /** Waits for milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A short link as long as those of new codes. */
  sampleLink: string;
}) {
  const { store, designs, rendererFor, checkDestination, runner, clock, sleep, sampleLink } = deps;

  const checkRow = async (row: BatchRow): Promise<BatchRow> => {
    if (row.problem !== null) return row;
    try {
      await checkDestination(row.destination);
      return row;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { ...row, problem: error.message };
    }
  };

  const checkReadability = async (
    accountId: number,
    designId: number,
  ): Promise<ReadabilityResult> =>
    rendererFor(requesterOf(accountId)).checkReadability(sampleLink, await designs.find(designId));

  const add = (accountId: number, table: CheckedTable, state: 'draft' | 'running') =>
    store.add({
      accountId,
      designId: table.designId,
      state,
      digest: tableDigest(table),
      rows: table.rows,
      atMs: clock.nowMs(),
      leaseUntilMs: 0,
    });

  const owned = async (accountId: number, batchId: number): Promise<Batch> => {
    const batch = await store.find(accountId, batchId);
    if (batch === null) throw new ApiError('not_found', 'There is no such batch.');
    return batch;
  };

  return {
    /**
     * Checks a table as the creates would, without creating anything.
     *
     * @param table CSV in UTF-8, or pasted text, see `parseTable`
     * @param designId null for the account's default design
     * @throws InvalidInput when it is no table
     */
    check: async (
      accountId: number,
      table: Uint8Array | string,
      designId: number | null,
      onProgress: (rows: number, of: number) => void = () => {},
    ): Promise<CheckedTable> => {
      const parsed = parseTable(table);
      const id = designId ?? (await designs.findDefault(accountId)).id;
      const readability = await checkReadability(accountId, id);
      const rows: BatchRow[] = [...parsed];
      const remaining = parsed.entries();
      let checked = 0;
      const work = async () => {
        for (const [index, row] of remaining) {
          rows[index] = await checkRow(row);
          onProgress(++checked, parsed.length);
          if (checked % checksPerTick === 0) await yieldToEventLoop();
        }
      };
      await Promise.all(Array.from({ length: concurrentChecks }, work));
      return { designId: id, rows, readability };
    },

    /** Stores a checked table as the account's draft, in place of an earlier one. Returns its id. */
    saveDraft: (accountId: number, table: CheckedTable): Promise<number> =>
      add(accountId, table, 'draft'),

    /**
     * Starts a draft: its codes are created in the background.
     *
     * @param isOnlyGood whether rows with a problem are left out
     * @throws ApiError not_found, design_unreadable
     * @throws InvalidInput when rows have problems and shall not be left out, or all of them have, or the
     *   batch was started before
     */
    start: async (accountId: number, batchId: number, isOnlyGood: boolean): Promise<void> => {
      const batch = await owned(accountId, batchId);
      rejectProblems(batch, isOnlyGood);
      requireReadable(await checkReadability(accountId, batch.designId));
      if (!(await store.start(accountId, batchId)))
        throw new InvalidInput('These codes are being created already.');
      runner.wake();
    },

    /**
     * Creates the codes of a checked table and waits for them. Continues an interrupted batch of the same
     * table and design instead of creating its codes a second time.
     *
     * @throws ApiError design_unreadable
     * @throws InvalidInput see `start`
     */
    run: async (
      accountId: number,
      table: CheckedTable,
      isOnlyGood: boolean,
      onProgress: (decided: number) => void,
    ): Promise<Batch> => {
      rejectProblems(countRows(table), isOnlyGood);
      requireReadable(table.readability);
      const unfinished = await store.findUnfinished(accountId, tableDigest(table));
      const id = unfinished?.id ?? (await add(accountId, table, 'running'));
      for (;;) {
        const isRun = await runner.run(id, onProgress);
        const batch = await owned(accountId, id);
        if (isRun || batch.state !== 'running') return batch;
        // A server continues the interrupted batch, or the process that was killed has it leased still.
        onProgress(batch.refused + batch.created);
        await sleep(pollMs);
      }
    },

    /** Stops a running batch. Codes that are created stay. @throws ApiError not_found */
    stop: async (accountId: number, batchId: number): Promise<void> => {
      const { id } = await owned(accountId, batchId);
      await store.end(id, 'stopped', 'Stopped by the account holder.');
    },

    /** @throws ApiError not_found */
    find: owned,
    /** Returns the newest batches, drafts included. */
    list: (accountId: number, limit: number): Promise<Batch[]> => store.list(accountId, limit),
    /** Returns rows of a batch after a row number. @throws ApiError not_found */
    rows: async (
      accountId: number,
      batchId: number,
      options: { filter: BatchRowFilter; afterRow: number; limit: number },
    ): Promise<BatchRowOutcome[]> => {
      const { id } = await owned(accountId, batchId);
      return store.rows(id, options.filter, options.afterRow, options.limit);
    },
    /** Returns the readability of the design of a batch. */
    readability: ({ accountId, designId }: Batch): Promise<ReadabilityResult> =>
      checkReadability(accountId, designId),
  };
}

function countRows({ rows }: CheckedTable): Pick<Batch, 'rows' | 'refused'> {
  return { rows: rows.length, refused: rows.filter(({ problem }) => problem !== null).length };
}

/** @throws InvalidInput */
function rejectProblems(
  { rows, refused }: Pick<Batch, 'rows' | 'refused'>,
  isOnlyGood: boolean,
): void {
  if (refused === rows) throw new InvalidInput('Every row has a problem, so no code was created.');
  if (refused > 0 && !isOnlyGood)
    throw new InvalidInput(
      `${formatNumber(refused)} of ${formatCount(rows, 'row')} ${refused === 1 ? 'has' : 'have'} a problem, so no code was created. Correct them, or create the others only.`,
    );
}

/** @throws ApiError design_unreadable */
function requireReadable({ isReadable, reasons, advice }: ReadabilityResult): void {
  if (isReadable) return;
  throw new ApiError(
    'design_unreadable',
    ['The design does not produce readable codes.', ...reasons, advice?.message ?? '']
      .join(' ')
      .trim(),
  );
}

function tableDigest({ designId, rows }: CheckedTable): Uint8Array {
  const content = rows.map((row) => [row.destination, mapLabels((name) => row[name])]);
  const hasher = new Bun.CryptoHasher('sha256').update(JSON.stringify([designId, content]));
  return new Uint8Array(hasher.digest());
}
