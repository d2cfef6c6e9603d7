import { isDeadline, type Patience, withDeadline } from '../../lib/deadline.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { StatementId, WaitingHit, WaitingHits } from '../hits/waiting-hits.ts';
import type { HitLogStatus } from '../storage.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { postgresMessage } from './errors.ts';

/** Writes hits into the scan log, or keeps them in the file of the copy while the database does not take them. */
export interface PostgresScanLog {
  /**
   * Writes hits of this moment in one statement. Never rejects.
   *
   * @param version of redirects that the statement requires, null for any
   * @param endStep when to stop waiting for the database
   * @returns `outdated` if the version is another: nothing was written then; `waiting` if the hits wait in the file
   */
  write(
    hits: readonly WaitingHit[],
    version: number | null,
    endStep: number,
  ): Promise<'written' | 'outdated' | 'waiting'>;
  /** Keeps hits on codes that the database could not be asked for. */
  keep(hits: readonly WaitingHit[]): void;
  /** Whether hits are kept without an attempt to write them. */
  readonly circuit: Omit<CircuitBreaker, 'end'>;
  /** Writes what waits since before the start, and looks whether the schema of an earlier version was migrated. */
  check(): Promise<void>;
  status(): Omit<HitLogStatus, 'areRecorded'>;
  /** Tries to write the rest. Returns the number of hits that are lost, because the file cannot be written either. */
  close(): Promise<number>;
}

export interface ScanLogOptions {
  /** Identifies this process among all that ever wrote to the database: a random number below 2^53. */
  readonly copy: number;
  readonly waiting: WaitingHits;
  /** Called when hits cannot be written, and with null when they can again. */
  readonly onProblem: (problem: string | null) => void;
  /** Called with the number of hits that are not counted, because the database does not have their codes. */
  readonly onUnknown: (hits: number) => void;
}

interface Deps extends ScanLogOptions {
  /** Runs a statement and returns its rows as arrays. */
  readonly execute: (text: string, values: readonly unknown[]) => Promise<unknown[]>;
  /** Reads the version of redirects before the first attempt to write after an outage. */
  readonly catchUp: () => Promise<void>;
  readonly patience: Patience;
}

/** Why redirects stop waiting for a statement that goes on. */
export const slow = new Error('PostgreSQL does not respond in time');
/** Why no memory is relied on before the next statement. */
export const stoodStill = new Error('The process stood still');

/**
 * The condition that a statement was not executed before.
 * It waits for a transaction that settles it, see `settle`. With the lock alone, it would see the state before that.
 */
const isUnsettled = `EXISTS (
    SELECT FROM hit_progress WHERE log = $1::bigint AND folded < $2::bigint FOR SHARE)`;
// Copy and number are unique: a repeated statement writes nothing.
const once = 'ON CONFLICT (copy, number) DO NOTHING RETURNING 1';

const insertIf = (
  condition: string,
) => `INSERT INTO scan_log (copy, number, settled, targets, times)
  SELECT $1::bigint, $2::bigint, $2::bigint - 1, $3::bigint[], $4::bigint[]
  WHERE ${condition} ${once}`;

/**
 * Writes hits whose codes have their ids still.
 * The others would be counted for the codes that got the ids in a database that lost them.
 */
const insertFound = (condition: string) => `WITH found AS MATERIALIZED (
    SELECT hit.* FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[]) AS hit (target, at, count, code)
    JOIN qrs ON qrs.id = hit.target / 8 AND qrs.code = hit.code
  ), inserted AS (
    INSERT INTO scan_log (copy, number, settled, targets, times, counts)
    SELECT $1::bigint, $2::bigint, $2::bigint - 1, array_agg(target), array_agg(at), array_agg(count)
    FROM found WHERE ${condition} HAVING count(*) > 0 ${once}
  )
  SELECT coalesce(sum(count), 0)::float8 FROM found`;

const atVersion = 'EXISTS (SELECT FROM redirect_version WHERE version = $5::bigint)';
/** Statements for a schema with hit_progress, and for that of a version without. */
const statements = (condition: string) => ({
  insert: insertIf(condition),
  insertAtVersion: insertIf(`${condition} AND ${atVersion}`),
  insertFound: insertFound(condition),
});
const settledStatements = statements(isUnsettled);
const earlierStatements = statements('TRUE');

const selectHasProgress = "SELECT to_regclass('hit_progress') IS NOT NULL";
const insertProgress =
  'INSERT INTO hit_progress (log, folded) VALUES ($1, 0) ON CONFLICT (log) DO NOTHING';
// What is not written by then waits for the next start.
const closeMs = 2000;
/** A version that there is not, so that nothing is written. */
const noVersion = -1;

/** Creates the log of hits. Statements are sent one after the other, each with the next number. */
export function createScanLog({
  copy,
  waiting,
  onProblem,
  onUnknown,
  execute,
  catchUp,
  patience,
}: Deps): PostgresScanLog {
  let committed = 0;
  let last = 0;
  let problem: string | null = null;
  let texts: typeof settledStatements | null = null;
  let isDraining = false;

  const newId = (): StatementId => ({ copy, number: ++last });

  let turn: Promise<unknown> = Promise.resolve();
  /** Runs the writes one after the other: one that failed is repeated before the next is sent. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = turn.then(run);
    turn = result.catch(() => {});
    return result;
  };

  /** Returns the statements that the schema allows, once it has what they need. */
  const prepare = async (writer = copy): Promise<typeof settledStatements> => {
    // The statement selects one value.
    const [[hasProgress]] = (await execute(selectHasProgress, [])) as [[boolean]];
    if (hasProgress) await execute(insertProgress, [writer]);
    texts = hasProgress ? settledStatements : earlierStatements;
    return texts;
  };

  /** Writes hits as a statement. Returns whether they were written. */
  const insert = async (
    { number }: StatementId,
    hits: readonly WaitingHit[],
    version: number | null,
  ): Promise<boolean> => {
    const { insert, insertAtVersion } = texts ?? (await prepare());
    const row = [
      copy,
      number,
      `{${hits.map(({ key }) => key)}}`,
      `{${hits.map(({ atMs }) => atMs)}}`,
    ];
    const rows = await (version === null
      ? execute(insert, row)
      : execute(insertAtVersion, [...row, version]));
    if (rows.length > 0) committed += hits.length;
    return rows.length > 0;
  };

  /** Writes the next hits that wait. Returns false if there are none. */
  const sendNext = async (): Promise<boolean> => {
    const statement = waiting.next(copy, newId);
    if (statement === null) return false;
    const { id, hits } = statement;
    // It may be one of a former process, or the first one in another database.
    const { insertFound } = await prepare(id.copy);
    const arrays = [
      `{${hits.map(({ key }) => key)}}`,
      `{${hits.map(({ atMs }) => atMs)}}`,
      `{${hits.map((hit) => hit.hits)}}`,
      textArray(hits.map(({ code }) => code)),
    ];
    // The statement selects one value.
    const [[found]] = (await execute(insertFound, [id.copy, id.number, ...arrays])) as [[number]];
    waiting.done(id);
    const all = hits.reduce((sum, one) => sum + one.hits, 0);
    committed += found;
    if (found < all) onUnknown(all - found);
    return true;
  };

  const circuit = createCircuitBreaker({
    attempt: () =>
      inTurn(async () => {
        const { insertAtVersion } = await prepare();
        await catchUp();
        // The same statement, so that nothing that stops it is missed.
        if (!(await sendNext())) await execute(insertAtVersion, [copy, 0, '{}', '{}', noVersion]);
      }),
    onFailure: (error) => {
      // Its statement is the first attempt, and mostly succeeds a moment later.
      if (error === slow || error === stoodStill) return;
      const isFirst = problem === null;
      problem = isDeadline(error) ? 'PostgreSQL does not respond' : postgresMessage(error);
      if (isFirst) onProblem(problem);
    },
    onClose: () => {
      if (problem !== null) onProblem(null);
      problem = null;
      void drain();
    },
  });

  /** Writes all that waits, beside the hits of the moment. */
  const drain = async (): Promise<void> => {
    if (isDraining) return;
    isDraining = true;
    try {
      while (!circuit.isOpen() && (await inTurn(() => sendNext()))) await yieldToEventLoop();
    } catch (error) {
      void circuit.open(error);
    } finally {
      isDraining = false;
    }
  };

  return {
    write: async (hits, version, endStep) => {
      if (circuit.isOpen()) {
        waiting.add(hits, null);
        return 'waiting';
      }
      let id: StatementId | null = null;
      let isGivenUp = false;
      const attempted = inTurn(async () => {
        if (isGivenUp) throw new Error('The database is busy with the scans that waited.');
        id = newId();
        return insert(id, hits, version);
      });
      try {
        const result = await patience.race(attempted, endStep);
        if (result === true) return 'written';
        if (result === false && version !== null) return 'outdated';
        if (result === false) throw new Error('The database has lost what it knew of this copy.');
      } catch (error) {
        waiting.add(hits, id);
        // A connection that was lost while it was idle is replaced at once.
        await patience.race(circuit.open(error), endStep);
        return 'waiting';
      }
      // `attempted` may have set it meanwhile, which the compiler does not see.
      const sent = id as StatementId | null;
      isGivenUp = sent === null;
      waiting.add(hits, sent);
      const settled = attempted.then((isWritten) => {
        if (!isWritten || sent === null) throw new Error('The database is slow.');
        waiting.done(sent);
      });
      settled.catch(() => {});
      void circuit.open(slow, settled);
      return 'waiting';
    },
    keep: (hits) => {
      waiting.add(hits, null);
      if (!circuit.isOpen()) void drain();
    },
    circuit,
    check: async () => {
      if (texts === earlierStatements) await inTurn(() => prepare());
      if (waiting.size() > 0) void drain();
    },
    status: () => {
      const buffered = waiting.size();
      const unwritten = buffered > 0 ? 'the last scans are being written' : null;
      return { committed, buffered, problem: problem ?? unwritten };
    },
    close: async () => {
      circuit.end();
      await withDeadline(closeMs, async () => {
        if (!circuit.isOpen()) await drain();
        await turn;
      }).catch(() => {});
      return waiting.close();
    },
  };
}

/** Returns texts as an array literal. */
export function textArray(texts: readonly (string | null)[]): string {
  const values = texts.map((text) =>
    text === null ? 'NULL' : `"${text.replaceAll(/[\\"]/g, '\\$&')}"`,
  );
  return `{${values.join()}}`;
}
