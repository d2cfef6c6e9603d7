import type { LostChanges } from '../../core/lost-changes.ts';
import type { Session } from './session.ts';

/** Notices that a database is older than it was. */
export interface LossWatch {
  /** Takes a version of the redirects that was read. */
  see(version: number, atMs: number): void;
  /** Records what was noticed for all copies, and reads what they have recorded. Never rejects. */
  check(session: Session): Promise<void>;
  /** Returns what is lost, until an operator has accepted that. */
  lost(): LostChanges | null;
}

interface Seen {
  readonly version: number;
  readonly firstMs: number;
  lastMs: number;
}

// As many as the database keeps.
const keptVersions = 1000;

const record = `UPDATE redirect_version
  SET lost_since = least(lost_since, $1::bigint), lost_until = greatest(lost_until, $2::bigint)`;
const select = 'SELECT lost_since::float8, lost_until::float8 FROM redirect_version';
/** Ends the warning. */
export const acceptLoss = 'UPDATE redirect_version SET lost_since = NULL, lost_until = NULL';

/** Creates the watch of a copy. */
export function createLossWatch(): LossWatch {
  /** The versions that this copy has read, oldest first. */
  let seen: Seen[] = [];
  let noticed: LostChanges | null = null;
  let recorded: LostChanges | null = null;

  const noticeLoss = (version: number, atMs: number, newest: Seen) => {
    const kept = seen.filter((one) => one.version <= version);
    const [firstLost = newest] = seen.slice(kept.length);
    const last = kept.at(-1);
    const sinceMs = last?.version === version ? last.lastMs : firstLost.firstMs;
    noticed = {
      sinceMs: Math.min(sinceMs, noticed?.sinceMs ?? atMs),
      untilMs: Math.max(newest.lastMs, noticed?.untilMs ?? 0),
    };
    seen = [];
  };

  return {
    see: (version, atMs) => {
      const newest = seen.at(-1);
      if (newest !== undefined && version < newest.version) noticeLoss(version, atMs, newest);
      const last = seen.at(-1);
      if (last?.version === version) last.lastMs = atMs;
      else seen.push({ version, firstMs: atMs, lastMs: atMs });
      if (seen.length > keptVersions) seen.shift();
    },
    check: async (session) => {
      try {
        if (noticed !== null) {
          await session.run(record, [noticed.sinceMs, noticed.untilMs]);
          noticed = null;
        }
        recorded = lostIn(await session.run(select, []));
      } catch {
        // A standby, or the schema of an earlier version. The next check tries again.
      }
    },
    lost: () => noticed ?? recorded,
  };
}

/** Reads what is recorded in a database that has the columns, or returns null. */
export async function readLostChanges(
  run: (text: string) => PromiseLike<unknown[]>,
): Promise<LostChanges | null> {
  return lostIn(await run(select));
}

function lostIn(rows: readonly unknown[]): LostChanges | null {
  // The statement selects these columns.
  const [[sinceMs, untilMs] = [null, null]] = rows as [number | null, number | null][];
  return sinceMs === null || untilMs === null ? null : { sinceMs, untilMs };
}
