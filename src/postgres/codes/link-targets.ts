import { formatCodeNumber } from '../../core/codes/code.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../../core/codes/ports.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import { locationHeader } from '../../core/codes/urls/destination.ts';
import type { HitKind } from '../../core/scans/hit.ts';
import { type HitEntries, hitKey } from '../../core/scans/hit-entries.ts';
import { createCache } from '../../lib/cache.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { createTickQueue } from '../../lib/event-loop.ts';
import { selectPausedPage, toPausedPage } from '../../sql/codes/paused-page.ts';
import { keyOfCode, keysOfCode } from '../../sql/codes/redirect-steps.ts';
import { isConnectionLost, isTimeout, sqlState } from '../database/errors.ts';
import type { Connection } from '../database/open.ts';
import { createScanLog, type PostgresScanLog, type ScanLogOptions } from '../scans/scan-log.ts';
import { missedSteps, notifiedCodes, type StepRow, selectSteps } from './redirect-version.ts';

export interface PostgresLinkStore extends LinkStore, Pick<PostgresScanLog, 'status' | 'close'> {
  /** Takes a payload of `changesChannel`. */
  receive(payload: string): void;
}

type Options = Omit<ScanLogOptions, 'execute' | 'check'>;

interface Follow extends FollowedLink {
  readonly key: number | string;
  readonly kind: HitKind;
  readonly atMs: number;
  /**
   * The version that its target belongs to.
   * Null when the target was looked up after the request began.
   */
  version: number | null;
  ready: Promise<void> | null;
  target: FollowedLink['target'];
}

type TargetRow = [
  index: number,
  version: number | null,
  qrId: number,
  code: string,
  destination: string,
  status: QrStatus,
  flaggedBy: string | null,
];

type PausedPageColumns = [
  business: string | null,
  message: string | null,
  link: string | null,
  logo: Uint8Array | null,
];

const defaultDeadlineMs = 3000;

/** The error of PostgreSQL where a column is missing. */
const undefinedColumn = '42703';

// A cache keeps up to twice as many. About 40 MB with destinations of common length.
const knownTargets = 100_000;

/** The schema of 1.0.0 has no version of the redirects. */
const selectIsVersioned = "SELECT to_regclass('redirect_version') IS NOT NULL";

/**
 * Looks up codes, or paths that owners chose, by their place in an array.
 *
 * @param isVersioned whether the schema has the version that the targets belong to
 */
const selectTargets = (
  key: 'code' | 'path',
  isVersioned: boolean,
) => `SELECT asked.index::int, (${isVersioned ? 'SELECT version FROM redirect_version' : 'NULL'})::float8,
    qrs.id::float8, qrs.code, destination, status, (SELECT list FROM flags WHERE qr_id = qrs.id)
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (key, index)
  JOIN qrs ON qrs.${key} = asked.key`;

/** Settings of the connections: the codes are found by index, however old the statistics are. */
export const followSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

/**
 * Number of connections that the store needs: for writes, and for look-ups.
 * More would make smaller statements.
 */
export const followConnections = 2;

/**
 * Creates the store of redirect targets.
 * Those in memory all belong to one version of the redirects. Each event-loop tick writes its hits in one statement,
 * which requires that version, and its redirects wait for that. So a redirect follows every change that was answered
 * before it began, by whichever copy or command. What the statement cannot check (codes that are paused or not in
 * memory) is looked up at each request.
 *
 * While the database does not respond, redirects are answered from memory, and their hits are written afterwards.
 *
 * @param connection with {@link followSettings}, used by nothing else
 */
export function createLinkStore(connection: Connection, options: Options): PostgresLinkStore {
  const known = createCache<number | string, LinkTarget>(knownTargets);
  /** The codes that have paths, of the same version. */
  const codesOfPaths = createCache<number | string, number | string>(knownTargets);
  /**
   * The version that the targets in memory belong to.
   * Null while there are none: at the start, and until the app has migrated a database of 1.0.0.
   */
  let version: number | null = null;
  /** Number of notified changes. */
  let notified = 0;

  const run = (text: string, values: unknown[], deadlineMs?: number) =>
    execute(connection, text, values, deadlineMs);

  /** Reads the version of redirects, and forgets the codes that changed since the one of the memory. */
  const catchUp = async (deadlineMs?: number): Promise<void> => {
    const since = version;
    if (since === null) {
      // The statement selects one value.
      const [[isVersioned]] = (await run(selectIsVersioned, [], deadlineMs)) as [[boolean]];
      if (!isVersioned) return;
    }
    // The statement selects these columns.
    const rows = (await run(selectSteps, [since], deadlineMs)) as StepRow[];
    // Another call was faster.
    if (version !== since) return;
    const missed = missedSteps(since, rows);
    if (missed.codes === null) {
      known.clear();
      codesOfPaths.clear();
    } else forget(missed.codes);
    version = missed.version;
  };

  const forget = (codes: readonly string[]) => {
    for (const key of codes.flatMap(keysOfCode)) {
      known.delete(key);
      codesOfPaths.delete(key);
    }
  };

  /** Returns the target of a code or path in memory. */
  const inMemory = (key: number | string): LinkTarget | undefined => {
    const target = known.get(key);
    if (target !== undefined || typeof key === 'number') return target;
    const code = codesOfPaths.get(key);
    return code === undefined ? undefined : known.get(code);
  };

  const scanLog = createScanLog({ ...options, execute: run, check: catchUp });

  /** Reads the targets from the database: of codes, and then of paths. */
  const readTargets = async (follows: readonly Follow[]): Promise<void> => {
    for (const link of follows) link.target = null;
    if (version === null) await catchUp();
    await readTargetsBy('code', follows);
    const paths = follows.filter(({ key, target }) => target === null && typeof key === 'string');
    if (paths.length === 0) return;
    await readTargetsBy('path', paths).catch((error: unknown) => {
      // The schema of an earlier version has no paths.
      if (sqlState(error) !== undefinedColumn) throw error;
    });
  };
  const readTargetsBy = async (
    column: 'code' | 'path',
    follows: readonly Follow[],
  ): Promise<void> => {
    const notifiedBefore = notified;
    const statement = selectTargets(column, version !== null);
    // The statements select these columns.
    const rows = (await run(statement, [textArray(follows.map(({ key }) => key))])) as TargetRow[];
    const readVersion = rows[0]?.[1] ?? null;
    if (readVersion !== null && readVersion !== version) await catchUp();
    const isCurrent =
      readVersion !== null && readVersion === version && notified === notifiedBefore;
    for (const [index, , qrId, code, destination, status, flaggedBy] of rows) {
      const link = follows[index - 1];
      if (link === undefined) continue;
      link.target = { qrId, location: locationHeader(destination), status, flaggedBy };
      if (!isCurrent) continue;
      const key = column === 'code' ? link.key : keyOfCode(code);
      known.set(key, link.target);
      if (column === 'path') codesOfPaths.set(link.key, key);
    }
  };

  /** Finds the targets, in memory if the database does not respond. */
  const findTargets = async (follows: readonly Follow[]): Promise<void> => {
    for (const link of follows) link.version = null;
    for (let attempt = 0; attempt < 2 && !scanLog.isSilent(); attempt++)
      try {
        return await readTargets(follows);
      } catch (error) {
        scanLog.fail(error);
        if (!(await scanLog.reach())) break;
      }
    for (const link of follows) link.target = inMemory(link.key) ?? 'unavailable';
  };

  const isOutdated = (link: Follow) =>
    link.version !== null && (link.version !== version || inMemory(link.key) !== link.target);

  const writeHits = async (follows: readonly Follow[]): Promise<void> => {
    const isCounted = !follows.some(isOutdated) && (await scanLog.write(hitsOf(follows), version));
    if (isCounted && !follows.some(isOutdated)) return;
    if (!isCounted) await catchUp().catch(scanLog.fail);
    const outdated = follows.filter(isOutdated);
    if (outdated.length > 0) await findTargets(outdated);
    const hits = hitsOf(follows);
    if (!isCounted && hits.length > 0) await scanLog.write(hits, null);
  };

  // A look-up runs beside the write of the ones before it.
  const lookUps = createTickQueue(findTargets);
  const writes = createTickQueue(writeHits);

  const lookUp = async (link: Follow): Promise<void> => {
    await lookUps.add(link);
    if (isActive(link.target)) await writes.add(link);
  };

  return {
    follow: (key, kind, atMs) => {
      const target = inMemory(key) ?? null;
      // Only a statement that writes a hit checks the version.
      const isKnown = isActive(target);
      const link: Follow = {
        key,
        kind,
        atMs,
        version: isKnown ? version : null,
        ready: null,
        target: isKnown ? target : null,
      };
      link.ready = isKnown ? writes.add(link) : lookUp(link);
      return link;
    },
    pausedPage: async (qrId) => {
      try {
        // The statement selects these columns.
        const [row] = (await run(selectPausedPage('$1'), [qrId])) as PausedPageColumns[];
        if (row === undefined) return null;
        const [business, message, link, logo] = row;
        return toPausedPage({ business, message, link, logo });
      } catch {
        return null;
      }
    },
    receive: (payload) => {
      notified++;
      const codes = notifiedCodes(payload);
      if (codes === null) catchUp().catch(scanLog.fail);
      else forget(codes);
    },
    status: scanLog.status,
    close: async () => {
      await lookUps.drain();
      await writes.drain();
      return scanLog.close();
    },
  };
}

function isActive(target: FollowedLink['target']): target is LinkTarget {
  return target !== null && target !== 'unavailable' && target.status === 'active';
}

/** Returns the hits on active codes. */
function hitsOf(follows: readonly Follow[]): HitEntries {
  const hits: HitEntries = [];
  for (const { target, kind, atMs } of follows)
    if (isActive(target)) hits.push(hitKey(target.qrId, kind), atMs, 1);
  return hits;
}

/** Returns codes as an array literal. A code number needs no quotes; a path may contain any character. */
function textArray(codes: readonly (number | string)[]): string {
  const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
  return `{${codes.map((code) => (typeof code === 'number' ? formatCodeNumber(code) : quoted(code))).join()}}`;
}

/**
 * Runs a statement that a redirect waits for, and returns its rows as arrays.
 * Replaces the pool when the database does not respond or its connections are lost.
 *
 * @throws what PostgreSQL reports, or an error for which `isTimeout` is true
 */
async function execute(
  connection: Connection,
  text: string,
  values: unknown[],
  deadlineMs = defaultDeadlineMs,
): Promise<unknown[]> {
  const sql = connection.sql();
  try {
    return await withDeadline(deadlineMs, () => sql.unsafe(text, values).values());
  } catch (error) {
    // The other connections are lost as well, and a statement without a response would keep its own.
    const isPoolLost = isTimeout(error) || isConnectionLost(error);
    if (isPoolLost && connection.sql() === sql) connection.reset();
    throw error;
  }
}
