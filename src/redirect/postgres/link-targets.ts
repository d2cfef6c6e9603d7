import { formatCodeNumber } from '../../core/codes/code.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import { formsOf, keysOf, linkMeant } from '../../core/codes/urls/resolve.ts';
import type { LostChanges } from '../../core/lost-changes.ts';
import type { HitKind } from '../../core/scans/hit.ts';
import { hitKey } from '../../core/scans/hit-entries.ts';
import { createCache } from '../../lib/cache.ts';
import { createPatience, watchStandstill, withDeadline } from '../../lib/deadline.ts';
import { createTickQueue } from '../../lib/event-loop.ts';
import type { WaitingHit } from '../hits/waiting-hits.ts';
import { locationHeader } from '../link-outcome.ts';
import {
  domainsByHost,
  isDomainStep,
  keyOfCode,
  keysOfCode,
  type LinkDomain,
  selectDomains,
  selectPausedPage,
  toPausedPage,
} from '../look-ups.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../storage.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { sqlState } from './errors.ts';
import { createLossWatch } from './lost-changes.ts';
import { missedSteps, notifiedCodes, type StepRow, selectSteps } from './redirect-version.ts';
import {
  createScanLog,
  type PostgresScanLog,
  type ScanLogOptions,
  slow,
  stoodStill,
  textArray,
} from './scan-log.ts';
import type { Session } from './session.ts';

export interface PostgresLinkStore extends LinkStore, Pick<PostgresScanLog, 'status' | 'close'> {
  /** Takes a payload of `changesChannel`. */
  receive(payload: string): void;
  /** Reads which codes have changed. To be called every second. */
  check(): Promise<void>;
  /** Returns what is lost, if the database is older than it was. */
  lostChanges(): LostChanges | null;
}

/** The connections of a store, with {@link followSettings}. */
export interface LinkSessions {
  /** For the statements that write hits, one after the other. */
  readonly hits: Session;
  /** For look-ups, so that one that hangs delays nothing else. */
  readonly lookUps: Session;
}

interface KnownTarget extends LinkTarget {
  readonly code: string;
  /** Number of the connection of hits at the time of the look-up. The next one may be to another database. */
  readonly connection: number;
}

interface Follow extends FollowedLink {
  readonly key: number | string;
  readonly kind: HitKind;
  readonly flaggedKind: HitKind;
  readonly atMs: number;
  /** When the redirect began to wait, see `Patience`. */
  step: number;
  /**
   * The version that its target belongs to.
   * Null when the target was looked up after the request began.
   */
  version: number | null;
  ready: Promise<void> | null;
  target: KnownTarget | 'unavailable' | null;
  /** Whether the target is from memory, because the database did not answer the look-up. */
  isUnconfirmed: boolean;
}

/** Targets that were looked up, by what was asked. */
type Found = Map<number | string, KnownTarget>;

type TargetRow = [
  index: number,
  version: number | null,
  qrId: number,
  code: string,
  destination: string,
  status: QrStatus,
  flaggedBy: string | null,
  query: string | null,
];

/** Such a row, and the other names of the link. */
type NamedRow = [
  ...TargetRow,
  path: string | null,
  foldedCode: string | null,
  foldedPath: string | null,
];

/** Names of a link, each of which is looked up. */
interface AskedName {
  readonly key: number | string;
  readonly code: string | null;
  readonly path: string | null;
  readonly folded: string | null;
}

type PausedPageColumns = [
  business: string | null,
  message: string | null,
  link: string | null,
  logo: Uint8Array | null,
];

/** How long redirects wait for the database after the copy stood still. */
const catchUpMs = 3000;

const defaultStepMs = 19;
/** A redirect of a code in memory waits for the database for 76 to 95 ms, so that it takes at most 100 ms. */
const knownSteps = 5;
/** One of another code waits for 475 ms. */
const unknownSteps = 25;

/** The error of PostgreSQL where a column is missing. */
const undefinedColumn = '42703';
const undefinedTable = '42P01';

/** Number of codes that an attempt in the background looks up. */
const keysPerAttempt = 100;

// A cache keeps up to twice as many. About 40 MB with destinations of common length.
const knownTargets = 100_000;

/** The schema of 1.0.0 has no version of the redirects. */
const selectIsVersioned = "SELECT to_regclass('redirect_version') IS NOT NULL";

const selectVersion = (isVersioned: boolean) =>
  `(${isVersioned ? 'SELECT version FROM redirect_version' : 'NULL'})::float8`;

const selectFlag = '(SELECT list FROM flags WHERE qr_id = qrs.id)';

/**
 * Looks up codes by their place in an array.
 *
 * @param isVersioned whether the schema has the version that the targets belong to
 * @param query the column, which the schema of an earlier version lacks
 */
const selectCodes = (
  isVersioned: boolean,
  query: 'query' | 'NULL',
) => `SELECT asked.index::int, ${selectVersion(isVersioned)},
    qrs.id::float8, qrs.code, destination, status, ${selectFlag}, ${query}
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (key, index)
  JOIN qrs ON qrs.code = asked.key`;

/**
 * Looks up the links that have a code, a path or a folded name, by its place in three arrays, see `NamedLink`.
 * Of those with one folded name, two say that it means none. A link may be found by several names.
 */
const selectNamed = `SELECT asked.index::int, ${selectVersion(true)},
    qrs.id::float8, qrs.code, destination, status, ${selectFlag}, query,
    qrs.path, qrs.folded_code, qrs.folded_path
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (code, path, folded, index)
  CROSS JOIN LATERAL (
    SELECT id FROM qrs WHERE code = asked.code
    UNION ALL SELECT id FROM qrs WHERE path = asked.path
    UNION ALL (SELECT id FROM qrs WHERE folded_code = asked.folded LIMIT 2)
    UNION ALL (SELECT id FROM qrs WHERE folded_path = asked.folded LIMIT 2)
  ) AS named JOIN qrs ON qrs.id = named.id`;

/** Settings of the connections: the codes are found by index, however old the statistics are. */
export const followSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

/**
 * Creates the store of redirect targets.
 * Those in memory all belong to one version of the redirects. Each event-loop tick writes its hits in one statement,
 * which requires that version, and its redirects wait for that. So a redirect follows every change that was answered
 * before it began, by whichever copy or command. What the statement cannot check (codes that are paused or not in
 * memory) is looked up at each request.
 *
 * When the statement fails or takes long, redirects are answered from memory without waiting, and their hits are kept
 * in the file of the copy, until the same statement succeeds in the background. The same is true of look-ups.
 *
 * A copy that stood still has missed what a change waits for before it is answered. It answers from
 * memory only after the database has told what changed, or has not answered for three seconds.
 */
export function createLinkStore(
  sessions: LinkSessions,
  options: ScanLogOptions & { readonly stepMs?: number },
): PostgresLinkStore {
  const known = createCache<number | string, KnownTarget>(knownTargets);
  /** The codes that have paths, of the same version. */
  const codesOfPaths = createCache<number | string, number | string>(knownTargets);
  /**
   * The version that the targets in memory belong to.
   * Null while there are none: at the start, and until the app has migrated a database of 1.0.0.
   */
  let version: number | null = null;
  /** Number of notified changes. */
  let notified = 0;
  const losses = createLossWatch();
  const patience = createPatience(options.stepMs ?? defaultStepMs);

  /** Reads the version of redirects, and forgets the codes that changed since the one of the memory. */
  const catchUp = async ({ run }: Session): Promise<void> => {
    const since = version;
    if (since === null) {
      // The statement selects one value.
      const [[isVersioned]] = (await run(selectIsVersioned, [])) as [[boolean]];
      if (!isVersioned) return;
    }
    // The statement selects these columns.
    const rows = (await run(selectSteps, [since])) as StepRow[];
    // Another call was faster.
    if (version !== since) return;
    const missed = missedSteps(since, rows);
    if (missed.codes === null || missed.codes.some(isDomainStep)) await readDomains(run);
    if (version !== since) return;
    losses.see(missed.version, Date.now());
    if (missed.codes === null) {
      known.clear();
      codesOfPaths.clear();
    } else forget(missed.codes);
    version = missed.version;
  };

  let domains: ReadonlyMap<string, LinkDomain> = new Map();
  /** Reads the domains beside the main one. The schema of an earlier version has none. */
  const readDomains = async (run: Session['run']): Promise<void> => {
    try {
      // The statement selects these columns.
      const rows = (await run(selectDomains, [])) as [string, string | null, string | null][];
      domains = domainsByHost(
        rows.map(([url, frontUrl, notFoundUrl]) => ({ url, frontUrl, notFoundUrl })),
      );
    } catch (error) {
      if (sqlState(error) !== undefinedTable) throw error;
    }
  };

  const forget = (codes: readonly string[]) => {
    for (const key of codes.flatMap(keysOfCode)) {
      known.delete(key);
      codesOfPaths.delete(key);
    }
  };

  /** Returns the target of a code or path in memory. */
  const inMemory = (key: number | string): KnownTarget | undefined => {
    const target = known.get(key);
    if (target !== undefined || typeof key === 'number') return target;
    const code = codesOfPaths.get(key);
    return code === undefined ? undefined : known.get(code);
  };

  const scanLog = createScanLog({
    ...options,
    execute: sessions.hits.run,
    catchUp: () => catchUp(sessions.hits),
    patience,
  });

  /** Reads the targets from the database: of codes, and of what paths mean. */
  const readTargets = async (keys: readonly (number | string)[]): Promise<Found> => {
    // With the connection that targets belong to.
    if (version === null) await catchUp(sessions.hits);
    // The schema of an earlier version has no paths.
    return version === null || keys.every((key) => typeof key === 'number')
      ? readCodes(keys)
      : readNamed(keys);
  };
  const readCodes = async (keys: readonly (number | string)[]): Promise<Found> => {
    const texts = keys.map((key) => (typeof key === 'number' ? formatCodeNumber(key) : key));
    const readWith = (query: 'query' | 'NULL') =>
      read<TargetRow>(selectCodes(version !== null, query), [textArray(texts)]);
    const { rows, keep } = await readWith('query').catch((error: unknown) => {
      if (sqlState(error) !== undefinedColumn) throw error;
      return readWith('NULL');
    });
    const found: Found = new Map();
    for (const row of rows) {
      const asked = keys[row[0] - 1];
      if (asked !== undefined) found.set(asked, keep(row));
    }
    return found;
  };
  const readNamed = async (keys: readonly (number | string)[]): Promise<Found> => {
    const asked = keys.flatMap((key): AskedName | AskedName[] => {
      if (typeof key === 'number')
        return { key, code: formatCodeNumber(key), path: null, folded: null };
      const { exact, folded } = formsOf(keysOf(key));
      const rows = Math.max(exact.length, folded.length);
      return Array.from({ length: rows }, (_, row) => {
        const [path = null, form = null] = [exact[row], folded[row]];
        return { key, code: path, path, folded: form };
      });
    });
    if (asked.length === 0) return new Map();
    const names = (['code', 'path', 'folded'] as const).map((kind) =>
      textArray(asked.map((form) => form[kind])),
    );
    try {
      const { rows, keep } = await read<NamedRow>(selectNamed, names);
      const found: Found = new Map();
      for (const [key, links] of Map.groupBy(rows, ([index]) => asked[index - 1]?.key)) {
        if (key === undefined) continue;
        const named = new Map(
          links.map((row) => [
            row[2],
            { code: row[3], path: row[8], foldedCode: row[9], foldedPath: row[10], row },
          ]),
        );
        const all = [...named.values()];
        const link = typeof key === 'number' ? (all[0] ?? null) : linkMeant(keysOf(key), all);
        if (link === null) continue;
        const target = keep(link.row);
        found.set(key, target);
        // What only resembles its path is not kept: there is as much as somebody types.
        if (link.path === key && known.get(keyOfCode(link.code)) === target)
          codesOfPaths.set(key, keyOfCode(link.code));
      }
      return found;
    } catch (error) {
      // The schema of an earlier version has no folded paths.
      if (sqlState(error) !== undefinedColumn) throw error;
      return readCodes(keys);
    }
  };
  /**
   * Reads targets.
   *
   * @returns the rows, and what makes a target of one, which is kept in memory if it is of the current version
   */
  const read = async <Row extends TargetRow | NamedRow>(
    statement: string,
    values: readonly string[],
  ): Promise<{ rows: Row[]; keep: (row: Row) => KnownTarget }> => {
    const notifiedBefore = notified;
    const connection = sessions.hits.connections();
    // The statements select these columns.
    const rows = (await sessions.lookUps.run(statement, [...values])) as Row[];
    const readVersion = rows[0]?.[1] ?? null;
    if (readVersion !== null && readVersion !== version) await catchUp(sessions.lookUps);
    const isCurrent =
      readVersion !== null && readVersion === version && notified === notifiedBefore;
    const keep = ([, , qrId, code, destination, status, flaggedBy, query]: Row): KnownTarget => {
      const location = locationHeader(destination);
      const passesQuery = query === 'on';
      const target = { qrId, location, status, flaggedBy, passesQuery, code, connection };
      if (isCurrent) known.set(keyOfCode(code), target);
      return target;
    };
    return { rows, keep };
  };

  /** What is looked up in the background until the database answers. */
  let failedKeys: readonly (number | string)[] = [];
  const lookUpCircuit = createCircuitBreaker({ attempt: () => readTargets(failedKeys) });

  /** Finds the targets, in memory if the database does not answer in time. */
  const findTargets = async (follows: readonly Follow[], steps: number): Promise<void> => {
    const endStep = (follows[0]?.step ?? 0) + steps;
    const found = await lookUpInTime([...new Set(follows.map(({ key }) => key))], endStep);
    for (const link of follows) {
      link.version = null;
      link.isUnconfirmed = found === null;
      link.target =
        found === null ? (inMemory(link.key) ?? 'unavailable') : (found.get(link.key) ?? null);
    }
  };
  const lookUpInTime = async (
    keys: readonly (number | string)[],
    endStep: number,
  ): Promise<Found | null> => {
    for (let attempt = 0; attempt < 2 && !lookUpCircuit.isOpen(); attempt++) {
      const reading = readTargets(keys);
      try {
        const found = await patience.race(reading, endStep);
        if (found !== 'late') return found;
        failedKeys = keys.slice(0, keysPerAttempt);
        void lookUpCircuit.open(slow, reading);
      } catch (error) {
        failedKeys = keys.slice(0, keysPerAttempt);
        // A connection that was lost while it was idle is replaced at once.
        await patience.race(lookUpCircuit.open(error), endStep);
      }
    }
    return null;
  };

  const isOutdated = (link: Follow) =>
    link.version !== null && (link.version !== version || inMemory(link.key) !== link.target);

  const writeHits = async (follows: readonly Follow[]): Promise<void> => {
    const endStep = (follows[0]?.step ?? 0) + knownSteps;
    const written = follows.some(isOutdated)
      ? 'outdated'
      : await scanLog.write(hitsOf(follows), version, endStep);
    if (written !== 'outdated' && !follows.some(isOutdated)) return;
    if (written === 'outdated') await catchUpInTime(endStep);
    const outdated = follows.filter(isOutdated);
    if (outdated.length > 0) await findTargets(outdated, unknownSteps);
    if (written !== 'outdated') return;
    const unconfirmed = hitsOf(follows.filter((link) => link.isUnconfirmed));
    if (unconfirmed.length > 0) scanLog.keep(unconfirmed);
    const confirmed = hitsOf(follows.filter((link) => !link.isUnconfirmed));
    if (confirmed.length > 0) await scanLog.write(confirmed, null, endStep + knownSteps);
  };
  const catchUpInTime = async (endStep: number): Promise<void> => {
    const reading = catchUp(sessions.hits);
    try {
      const read = await patience.race(reading, endStep);
      if (read === 'late') void scanLog.circuit.open(slow, reading);
    } catch (error) {
      await patience.race(scanLog.circuit.open(error), endStep);
    }
  };

  // A look-up runs beside the write of the ones before it.
  const lookUps = createTickQueue((links: readonly Follow[]) => findTargets(links, unknownSteps));
  // Those of codes in memory do not wait for longer than a redirect.
  const confirmations = createTickQueue((links: readonly Follow[]) =>
    findTargets(links, knownSteps),
  );
  const writes = createTickQueue(writeHits);

  const lookUp = async (link: Follow, isInMemory: boolean): Promise<void> => {
    await (isInMemory ? confirmations : lookUps).add(link);
    if (!isActive(link.target)) return;
    if (link.isUnconfirmed) scanLog.keep(hitsOf([link]));
    else await writes.add(link);
  };

  /** Follows a link by what is in memory, or looks it up. */
  const begin = (link: Follow): Promise<void> => {
    link.step = patience.now();
    const target = inMemory(link.key) ?? null;
    // Only a statement that writes a hit checks the version.
    const isKnown =
      isActive(target) &&
      (target.connection === sessions.hits.connections() || scanLog.circuit.isOpen());
    if (!isKnown) return lookUp(link, target !== null);
    link.version = version;
    link.target = target;
    return writes.add(link);
  };

  /** Ends when the memory can be relied on after the process stood still. Null if it can. */
  let catchingUp: Promise<void> | null = null;
  const standstill = watchStandstill(() => {
    void scanLog.circuit.open(stoodStill);
    failedKeys = [];
    void lookUpCircuit.open(stoodStill);
    const ended = withDeadline(catchUpMs, async () => {
      await Promise.all([scanLog.circuit.closed(), lookUpCircuit.closed()]);
    })
      .catch(() => {})
      .finally(() => {
        if (catchingUp === ended) catchingUp = null;
      });
    catchingUp = ended;
  });

  return {
    follow: (key, kind, atMs, flaggedKind = kind) => {
      standstill.check();
      const link: Follow = {
        key,
        kind,
        flaggedKind,
        atMs,
        step: 0,
        version: null,
        ready: null,
        target: null,
        isUnconfirmed: false,
      };
      link.ready = catchingUp === null ? begin(link) : catchingUp.then(() => begin(link));
      return link;
    },
    pausedPage: async (qrId) => {
      if (lookUpCircuit.isOpen()) return null;
      try {
        const reading = sessions.lookUps.run(selectPausedPage('$1'), [qrId]);
        const rows = await patience.race(reading, patience.now() + knownSteps);
        if (rows === 'late') {
          void lookUpCircuit.open(slow, reading);
          return null;
        }
        // The statement selects these columns.
        const [row] = rows as PausedPageColumns[];
        if (row === undefined) return null;
        const [business, message, link, logo] = row;
        return toPausedPage({ business, message, link, logo });
      } catch {
        return null;
      }
    },
    domainOf: (host) => domains.get(host) ?? null,
    hasNonce: async (nonce) => {
      if (lookUpCircuit.isOpen()) return false;
      try {
        const select = 'SELECT 1 FROM domain_checks WHERE nonce = $1';
        const reading = sessions.lookUps.run(select, [nonce]);
        const rows = await patience.race(reading, patience.now() + unknownSteps);
        return rows !== 'late' && rows.length > 0;
      } catch {
        return false;
      }
    },
    receive: (payload) => {
      notified++;
      const codes = notifiedCodes(payload);
      if (codes === null) catchUp(sessions.lookUps).catch(scanLog.circuit.open);
      else {
        forget(codes);
        if (codes.some(isDomainStep)) readDomains(sessions.lookUps.run).catch(scanLog.circuit.open);
      }
    },
    check: async () => {
      // What blocks the writes does not block this.
      if (scanLog.circuit.isOpen()) return catchUp(sessions.lookUps);
      try {
        await scanLog.check();
        await catchUp(sessions.hits);
        await losses.check(sessions.hits);
      } catch (error) {
        void scanLog.circuit.open(error);
      }
    },
    lostChanges: losses.lost,
    status: scanLog.status,
    close: async () => {
      standstill.end();
      await catchingUp;
      await confirmations.drain();
      await lookUps.drain();
      await writes.drain();
      lookUpCircuit.end();
      return scanLog.close();
    },
  };
}

function isActive(target: KnownTarget | 'unavailable' | null): target is KnownTarget {
  return target !== null && target !== 'unavailable' && target.status === 'active';
}

/** Returns the hits on active codes. */
function hitsOf(follows: readonly Follow[]): WaitingHit[] {
  const hits: WaitingHit[] = [];
  for (const { target, kind, flaggedKind, atMs } of follows) {
    if (!isActive(target)) continue;
    const key = hitKey(target.qrId, target.flaggedBy === null ? kind : flaggedKind);
    hits.push({ key, code: target.code, atMs, hits: 1 });
  }
  return hits;
}
