import { formatCodeNumber, parseCodeNumber } from '../../core/codes/code.ts';
import { locationHeader } from '../../core/codes/destination.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../../core/ports.ts';
import type { HitKind } from '../../core/scans/hit.ts';
import { type HitEntries, hitTarget } from '../../core/scans/hit-entries.ts';
import { createCache } from '../../lib/cache.ts';
import { createTickQueue } from '../../lib/event-loop.ts';
import { execute } from '../database/execute.ts';
import type { Connection } from '../database/open.ts';
import { createHitLog, type HitLog } from '../scans/hit-log.ts';

export interface PostgresLinkStore extends LinkStore, Pick<HitLog, 'status' | 'close'> {
  /** Begins a membership: every change from now on arrives at {@link PostgresLinkStore.drop}. */
  join(membership: number): void;
  /** Ends the membership: changes may be missed from now on. */
  leave(): void;
  /** Removes codes from memory, all of them without an argument. */
  drop(codes?: readonly string[]): void;
}

interface Options {
  /** Identifies this process among all that ever wrote to the database: a random number below 2^53. */
  readonly copy: number;
  /** Called when hits cannot be written, and with null when they can again. */
  readonly onProblem: (problem: string | null) => void;
  /** Called when the database does not respond. Its other connections will not, either. */
  readonly onSilence?: () => void;
}

interface Follow extends FollowedLink {
  readonly key: number | string;
  readonly kind: HitKind;
  readonly atMs: number;
  /** The membership that its target depends on. Null when the target was looked up after it began. */
  membership: number | null;
  settled: Promise<void> | null;
  target: FollowedLink['target'];
}

interface KnownTarget extends LinkTarget {
  /** It is right as long as this is the current epoch. */
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

const codesPerRefresh = 1000;

/** Looks up codes by their place in an array. */
const select = `SELECT asked.index::int, qrs.id::float8, destination, status,
    (SELECT list FROM flags WHERE qr_id = qrs.id)
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (code, index)
  JOIN qrs ON qrs.code = asked.code`;

/** Settings of the connections: the codes are found by index, however old the statistics are. */
export const followSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
} as const;

/** Number of connections that the store needs: for writes, and for look-ups. More would make smaller statements. */
export const followConnections = 2;

/**
 * Creates the store of redirect targets, which it keeps in memory. Each event-loop tick writes its hits in one
 * statement, and its redirects wait for that.
 *
 * A process that changes a code waits until all members have dropped it, and removes those that do not respond
 * (`createAnnouncer`). The statement that writes the hits also checks the membership. So a redirect follows every
 * change that was answered before it began, by whichever copy.
 *
 * While the database does not respond, redirects go on from memory, and their hits are written afterwards.
 *
 * @param connection with {@link followSettings}, used by nothing else
 */
export function createLinkStore(connection: Connection, options: Options): PostgresLinkStore {
  const { copy, onProblem, onSilence = () => {} } = options;
  const known = createCache<number | string, KnownTarget>(knownTargets);
  let membership: number | null = null;
  let epoch = 0;
  /** Number of calls of `drop`. */
  let drops = 0;

  const run = async (text: string, values: unknown[], deadlineMs?: number): Promise<unknown[]> => {
    const isMember = membership !== null;
    const rows = await execute(connection, text, values, deadlineMs);
    // The database works while changes may have been missed.
    if (!isMember && membership === null) epoch++;
    return rows;
  };
  const hitLog = createHitLog({ copy, execute: run, onProblem, onSilence });

  const fromMemory = (key: number | string): LinkTarget | null => {
    const target = known.get(key);
    return target?.epoch === epoch ? target : null;
  };

  /** Reads the targets from the database. */
  const readTargets = async (links: readonly Follow[]): Promise<void> => {
    const before = { membership, drops };
    // The statement selects these columns.
    const rows = (await run(select, [textArray(links.map(({ key }) => key))])) as TargetRow[];
    // A change during the look-up may be missing in its result.
    const isCurrent =
      membership !== null && membership === before.membership && drops === before.drops;
    for (const link of links) link.target = null;
    for (const [index, qrId, destination, status, flaggedBy] of rows) {
      const link = links[index - 1];
      if (link === undefined) continue;
      const target = { qrId, location: locationHeader(destination), status, flaggedBy };
      link.target = target;
      if (isCurrent) known.set(link.key, { ...target, epoch });
    }
  };

  const useMemory = (links: readonly Follow[]) => {
    for (const link of links) link.target = fromMemory(link.key) ?? 'unavailable';
  };

  /** Finds the targets, in memory if the database does not respond. */
  const findTargets = async (links: readonly Follow[]): Promise<void> => {
    for (const link of links) link.membership = null;
    for (let attempt = 0; attempt < 2 && !hitLog.isSilent(); attempt++)
      try {
        return await readTargets(links);
      } catch (error) {
        hitLog.fail(error);
        if (!(await hitLog.reach())) break;
      }
    useMemory(links);
  };

  const writeHits = async (links: readonly Follow[]): Promise<void> => {
    const current = membership;
    if (links.every((link) => link.membership === null || link.membership === current)) {
      const outcome = await hitLog.write(hitsOf(links), current);
      if (outcome !== 'not a member') return;
      if (membership === current) {
        membership = null;
        // Changes may have been missed.
        epoch++;
      }
    }
    await findTargets(links);
    const hits = hitsOf(links);
    if (hits.length > 0) await hitLog.write(hits, null);
  };

  // A look-up runs beside the write of the ones before it.
  const lookUps = createTickQueue(findTargets);
  const writes = createTickQueue(writeHits);

  const lookUp = async (link: Follow): Promise<void> => {
    await lookUps.add(link);
    if (isActive(link.target)) await writes.add(link);
  };

  /** Looks up what was in memory before the membership began. */
  const refreshMemory = async () => {
    const current = membership;
    const keys = known.keys();
    for (let from = 0; from < keys.length && membership === current; from += codesPerRefresh)
      await readTargets(
        keys.slice(from, from + codesPerRefresh).map((key) => newFollow(key, 'scan', 0, current)),
      );
  };

  return {
    follow: (key, kind, atMs) => {
      const link = newFollow(key, kind, atMs, membership);
      const target = membership === null ? null : fromMemory(key);
      // Only a statement that writes a hit checks the membership.
      const isKnown = isActive(target);
      if (isKnown) link.target = target;
      link.settled = isKnown ? writes.add(link) : lookUp(link);
      return link;
    },
    join: (joined) => {
      membership = joined;
      epoch++;
      hitLog.retry();
      // Without it, the codes are known again once they are followed.
      refreshMemory().catch(() => {});
    },
    leave: () => {
      membership = null;
    },
    drop: (codes) => {
      drops++;
      if (codes === undefined) known.clear();
      else for (const key of codes.flatMap(keysOf)) known.delete(key);
    },
    status: hitLog.status,
    close: async () => {
      await lookUps.drain();
      await writes.drain();
      return hitLog.close();
    },
  };
}

function newFollow(
  key: number | string,
  kind: HitKind,
  atMs: number,
  membership: number | null,
): Follow {
  return { key, kind, atMs, membership, settled: null, target: null };
}

function isActive(target: FollowedLink['target']): target is LinkTarget {
  return target !== null && target !== 'unavailable' && target.status === 'active';
}

/** Returns the hits on active codes. */
function hitsOf(links: readonly Follow[]): HitEntries {
  const hits: HitEntries = [];
  for (const { target, kind, atMs } of links)
    if (isActive(target)) hits.push(hitTarget(target.qrId, kind), atMs, 1);
  return hits;
}

/** Returns the keys under which a code may be known: the path of an imported link may look like a code. */
function keysOf(code: string): (number | string)[] {
  const number = parseCodeNumber(code, 0, code.length);
  return number === null ? [code] : [number, code];
}

/** Returns codes as an array literal. A code number needs no quotes; a path may contain any character. */
function textArray(codes: readonly (number | string)[]): string {
  const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
  return `{${codes.map((code) => (typeof code === 'number' ? formatCodeNumber(code) : quoted(code))).join()}}`;
}
