import { formatCodeNumber, parseCodeNumber } from '../../core/codes/code.ts';
import { locationHeader } from '../../core/codes/destination.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../../core/ports.ts';
import { type HitKind, hitKinds } from '../../core/scans/hit.ts';
import {
  type HitEntries,
  hitTarget,
  kindRange,
  numbersPerEntry,
} from '../../core/scans/hit-entries.ts';
import type { ScanLogStatus } from '../../core/storage.ts';
import { createCache } from '../../lib/cache.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { isConnectionLost, postgresMessage } from '../database/errors.ts';
import type { Connection } from '../database/open.ts';
import { createOutbox } from '../scans/outbox.ts';
import { createWriteSequence } from '../scans/sequence.ts';

export interface PostgresLinkStore extends LinkStore {
  /** Changes that are announced from now on arrive at {@link PostgresLinkStore.drop}. */
  join(): void;
  /** Announced changes may be missed from now on. */
  leave(): void;
  /** Removes codes from memory, all of them without an argument. */
  drop(codes?: readonly string[]): void;
  status(): Omit<ScanLogStatus, 'aggregationProblem'>;
  /** Writes the rest. Returns the number of hits that could not be written and are lost. */
  close(): Promise<number>;
}

interface Options {
  /** Identifies this process among all that ever wrote to the database: a random number below 2^53. */
  readonly copy: number;
  /** Called when hits cannot be written, and with null when they can again. */
  readonly onProblem: (problem: string | null) => void;
  /** Called when the database does not respond. Its other connections will not, either. */
  readonly onSilence?: () => void;
}

/** Follows of one event-loop tick, or of several while the database is busy. */
interface Tick {
  readonly links: { readonly settled: Promise<void>; target: FollowedLink['target'] }[];
  readonly codes: (number | string)[];
  readonly kinds: number[];
  readonly times: number[];
  readonly settled: PromiseWithResolvers<void>;
  /** Codes that were changed after the statement was sent; `all` after a message without codes. */
  readonly dropped: Set<number | string>;
  isAllDropped: boolean;
}

interface KnownTarget extends LinkTarget {
  /** Until when it is known to be right: the last time that this copy joined. */
  readonly epoch: number;
}

type TargetRow = [
  index: number,
  qrId: number,
  destination: string,
  status: QrStatus,
  flaggedBy: string | null,
];

// A cache keeps up to twice as many. About 40 MB with destinations of common length.
const knownTargets = 100_000;

// While one statement waits for the disk of PostgreSQL, the next is prepared. More make smaller ticks.
const maxStatements = 2;
const deadlineMs = 3000;
// Between attempts to reach a database that refuses connections. Redirects wait for the next attempt.
const retryDelayMs = 20;
// Between attempts to reach one that does not respond at all. Redirects do not wait.
const silentRetryDelayMs = 1000;
const idleRetryDelayMs = 250;
const codesPerRefresh = 1000;

/** Looks up codes by their place in an array. */
const select = `SELECT asked.index::int, qrs.id::float8 AS id, destination, status,
    (SELECT list FROM flags WHERE qr_id = qrs.id) AS flagged_by, kind, at
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS asked (code, kind, at, index)
  JOIN qrs ON qrs.code = asked.code`;

const follow = `WITH found AS MATERIALIZED (${select}), logged AS (
    INSERT INTO scan_log (copy, number, settled, targets, times)
    SELECT $4::bigint, $5::bigint, $6::bigint, array_agg(id::bigint * ${kindRange} + kind), array_agg(at)
    FROM found WHERE status = 'active' HAVING count(*) > 0
  )
  SELECT index, id, destination, status, flagged_by FROM found`;

const lookUp = `SELECT index, id, destination, status, flagged_by FROM (${select}) AS found`;

const log = `INSERT INTO scan_log (copy, number, settled, targets, times, counts)
  VALUES ($1, $2, $3, $4::bigint[], $5::bigint[], $6::bigint[])
  ON CONFLICT (copy, number) DO NOTHING`;

/** Settings of the connections, which only run the statements above: by index, however old the statistics are. */
export const followSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

/** Number of connections that the store needs. */
export const followConnections = maxStatements;

/**
 * Creates the store of redirect targets. Each event-loop tick sends one statement, which looks up all codes of
 * the tick and inserts their hits; the redirects wait for it. So a redirect follows every change that was
 * committed before it began, by whichever copy.
 *
 * While the database does not respond, codes that this copy has served before are redirected from memory, and
 * their hits are written afterwards. Other copies announce changes before they answer them, so that memory is
 * never older than an answered change.
 *
 * @param connection with {@link followSettings}, used by nothing else
 */
export function createLinkStore(connection: Connection, options: Options): PostgresLinkStore {
  const sequence = createWriteSequence(options.copy);
  const outbox = createOutbox(sequence);
  const known = createCache<number | string, KnownTarget>(knownTargets);
  const inFlight = new Set<Tick>();
  let refreshing: Tick | null = null;
  let waiting: Tick | null = null;
  let committed = 0;
  let epoch = 0;
  let hasJoined = false;
  /** Why hits are not written, and whether the database responds at all. */
  let failure: { readonly problem: string; readonly isSilent: boolean } | null = null;
  let recovery: Promise<boolean> | null = null;
  let retryTimer: Timer | null = null;
  let isClosed = false;

  const execute = async (text: string, values: unknown[]): Promise<unknown[]> => {
    const sql = connection.sql();
    try {
      return await withDeadline(deadlineMs, () => sql.unsafe(text, values).values());
    } catch (error) {
      // The other connections are lost as well, and a statement without a response would keep its own.
      const isPoolLost = isTimeout(error) || isConnectionLost(error);
      if (isPoolLost && connection.sql() === sql) connection.reset();
      throw error;
    }
  };

  const remember = (key: number | string, target: LinkTarget, tick: Tick) => {
    if (tick.isAllDropped || tick.dropped.has(key)) known.delete(key);
    else known.set(key, { ...target, epoch: hasJoined ? epoch : -1 });
  };

  /** Sets the targets of a tick. */
  const read = (rows: unknown[], tick: Tick) => {
    // The statements select these columns.
    for (const [index, qrId, destination, status, flaggedBy] of rows as TargetRow[]) {
      const link = tick.links[index - 1];
      const key = tick.codes[index - 1];
      if (link === undefined || key === undefined) continue;
      const target = { qrId, location: locationHeader(destination), status, flaggedBy };
      link.target = target;
      remember(key, target, tick);
    }
    // The database has responded while changes may have been missed.
    if (!hasJoined) epoch++;
  };

  const parametersOf = ({ codes, kinds, times }: Tick) => [
    textArray(codes),
    numberArray(kinds),
    numberArray(times),
  ];

  const fail = (error: unknown) => {
    const isSilent = isTimeout(error) || /timed?.?out/i.test(postgresMessage(error));
    const problem = isSilent ? 'PostgreSQL does not respond' : postgresMessage(error);
    if (failure === null) options.onProblem(problem);
    if (isSilent) options.onSilence?.();
    failure = { problem, isSilent };
    scheduleRetry(isSilent ? silentRetryDelayMs : idleRetryDelayMs);
  };

  const scheduleRetry = (delayMs: number) => {
    if (isClosed) return;
    retryTimer ??= setTimeout(() => {
      retryTimer = null;
      void recover();
    }, delayMs);
  };

  const writeHits = async (number: number, entries: HitEntries) => {
    const column = (offset: number) =>
      numberArray(entries.filter((_, at) => at % numbersPerEntry === offset));
    const head = [options.copy, number, sequence.settledThrough()];
    await execute(log, [...head, column(0), column(1), column(2)]);
  };

  /** Writes what waits. Returns whether the database can be written. */
  const tryToRecover = async (): Promise<boolean> => {
    try {
      const before = outbox.size();
      await execute('SELECT 1', []);
      await outbox.flush(writeHits);
      committed += before;
      if (failure !== null) options.onProblem(null);
      failure = null;
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  };

  const recover = async (): Promise<boolean> => {
    recovery ??= tryToRecover().finally(() => {
      recovery = null;
    });
    return recovery;
  };

  /** Resolves whether an attempt that began after the call has reached the database. */
  const reach = async (): Promise<boolean> => {
    if (failure?.isSilent) return false;
    if (recovery !== null) await recovery;
    else await Bun.sleep(retryDelayMs);
    return failure === null || recover();
  };

  const run = async (tick: Tick): Promise<void> => {
    if (failure !== null && !(await reach())) return respondFromMemory(tick, null);
    const number = sequence.next();
    try {
      const values = [options.copy, number, sequence.settledThrough()];
      read(await execute(follow, [...parametersOf(tick), ...values]), tick);
      sequence.settle(number);
      committed += hitsOf(tick).length / numbersPerEntry;
    } catch (error) {
      fail(error);
      await respondFromMemory(tick, number);
    }
  };

  /** @param number of the statement that may have been executed, or null */
  const respondFromMemory = async (tick: Tick, number: number | null): Promise<void> => {
    // A full disk or a standby: the database can still be read.
    if (failure?.isSilent) useMemory(tick);
    else await lookUpOnly(tick).catch(() => useMemory(tick));
    const hits = hitsOf(tick);
    if (number !== null && hits.length > 0) outbox.addUncertain(number, hits);
    else if (number !== null) sequence.settle(number);
    else outbox.add(hits);
    // The database may have recovered in the meantime, before these hits were there to be written.
    if (outbox.size() > 0) scheduleRetry(idleRetryDelayMs);
  };

  const lookUpOnly = async (tick: Tick) => read(await execute(lookUp, parametersOf(tick)), tick);

  /** Looks up what is in memory again after changes may have been missed. */
  const refreshMemory = async () => {
    const joinedAt = epoch;
    const keys = known.keys();
    for (let from = 0; from < keys.length && epoch === joinedAt; from += codesPerRefresh) {
      const tick = newTick();
      for (const key of keys.slice(from, from + codesPerRefresh)) addTo(tick, key, 0, 0);
      refreshing = tick;
      await lookUpOnly(tick);
      refreshing = null;
    }
  };

  const useMemory = ({ links, codes }: Tick) => {
    for (const [index, link] of links.entries()) {
      const target = known.get(codes[index] ?? '');
      link.target = target?.epoch === epoch ? target : 'unavailable';
    }
  };

  const send = () => {
    if (waiting === null || inFlight.size >= maxStatements) return;
    const tick = waiting;
    waiting = null;
    inFlight.add(tick);
    run(tick).finally(() => {
      inFlight.delete(tick);
      tick.settled.resolve();
      send();
    });
  };

  /** Returns the keys under which a code may be known: the path of an imported link may look like a code. */
  const keysOf = (code: string): (number | string)[] => {
    const number = parseCodeNumber(code, 0, code.length);
    return number === null ? [code] : [number, code];
  };

  return {
    follow: (key, kind: HitKind, atMs) => {
      if (waiting === null) {
        waiting = newTick();
        setImmediate(send);
      }
      return addTo(waiting, key, hitKinds.indexOf(kind), atMs);
    },
    join: () => {
      epoch++;
      hasJoined = true;
      // Without it, the codes are known again once they are served.
      refreshMemory().catch(() => {});
    },
    leave: () => {
      hasJoined = false;
    },
    drop: (codes) => {
      if (codes === undefined) known.clear();
      const keys = (codes ?? []).flatMap(keysOf);
      for (const key of keys) known.delete(key);
      for (const tick of refreshing === null ? inFlight : [...inFlight, refreshing]) {
        if (codes === undefined) tick.isAllDropped = true;
        for (const key of keys) tick.dropped.add(key);
      }
    },
    status: () => {
      const buffered = outbox.size();
      const unwritten = buffered > 0 ? 'the last scans are being written' : null;
      return { committed, buffered, problem: failure?.problem ?? unwritten };
    },
    close: async () => {
      isClosed = true;
      if (retryTimer !== null) clearTimeout(retryTimer);
      send();
      while (inFlight.size > 0)
        await Promise.all([...inFlight].map(({ settled }) => settled.promise));
      if (outbox.size() > 0) await recover();
      return outbox.size();
    },
  };
}

/** Adds a follow to a tick. */
function addTo(
  tick: Tick,
  key: number | string,
  kind: number,
  atMs: number,
): Tick['links'][number] {
  const link = { settled: tick.settled.promise, target: null };
  tick.links.push(link);
  tick.codes.push(key);
  tick.kinds.push(kind);
  tick.times.push(atMs);
  return link;
}

/** Returns the hits on active codes. */
function hitsOf({ links, kinds, times }: Tick): HitEntries {
  const hits: HitEntries = [];
  for (const [index, { target }] of links.entries()) {
    if (target === null || target === 'unavailable' || target.status !== 'active') continue;
    const kind = hitKinds[kinds[index] ?? 0] ?? 'scan';
    hits.push(hitTarget(target.qrId, kind), times[index] ?? 0, 1);
  }
  return hits;
}

function newTick(): Tick {
  return {
    links: [],
    codes: [],
    kinds: [],
    times: [],
    settled: Promise.withResolvers(),
    dropped: new Set(),
    isAllDropped: false,
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** Returns an array literal of PostgreSQL. Faster than a parameter that the driver converts. */
function numberArray(numbers: readonly number[]): string {
  return `{${numbers.join()}}`;
}

/** Returns codes as an array literal. A code number needs no quotes; a path may contain any character. */
function textArray(codes: readonly (number | string)[]): string {
  const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
  return `{${codes.map((code) => (typeof code === 'number' ? formatCodeNumber(code) : quoted(code))).join()}}`;
}
