import type { QrStatus } from '../core/codes/qr.ts';
import { DatabaseUnusable } from '../core/errors.ts';
import type { DatabaseSizes, HealthCondition } from '../core/health.ts';
import type { HitKind } from '../core/scans/hit.ts';
import { version } from '../lib/build/version.ts';
import type { Logger } from '../lib/logger.ts';
import type { LinkDomain, PausedPage } from './look-ups.ts';

/** What a short link needs to redirect. */
export interface LinkTarget {
  readonly qrId: number;
  /** The `Location` header, see `locationHeader`. */
  readonly location: string;
  readonly status: QrStatus;
  /** The list that flagged the destination after it was accepted, or null. */
  readonly flaggedBy: string | null;
  /** Whether the query of a visitor is added to the destination. */
  readonly passesQuery: boolean;
}

/** A short link that is being followed. */
export interface FollowedLink {
  /**
   * Resolves when `target` is known and the hit is recorded: on disk, or buffered in memory because it
   * cannot be written now. Null when there is nothing to wait for. Never rejects because of
   * the database, so that a redirect cannot fail.
   */
  readonly ready: Promise<void> | null;
  /**
   * What the code redirects to; valid once `ready` has resolved. Null for an unknown code;
   * `unavailable` when the database does not respond and the code is not in memory.
   */
  readonly target: LinkTarget | 'unavailable' | null;
}

export interface LinkStore {
  /**
   * Looks up a code number, or what a path means (`keysOf`), and records a hit if it is active, in one
   * step. Sees every change that was committed before the current event-loop tick.
   *
   * @param flaggedKind the kind of the hit if the destination was flagged; otherwise as for others
   */
  follow(key: number | string, kind: HitKind, atMs: number, flaggedKind?: HitKind): FollowedLink;
  /**
   * Returns what the page of a paused code shows of its account.
   * Null when the code is unknown, or that cannot be read, as in a schema of an earlier version. Never rejects.
   */
  pausedPage(qrId: number): Promise<PausedPage | null>;
  /** Returns a domain beside the main one; null for every other host. */
  domainOf(host: string): LinkDomain | null;
  /** Returns whether a check of a domain waits for a number, see `domain_checks`. Never rejects. */
  hasNonce(nonce: string): Promise<boolean>;
}

/** A database that the redirect server has opened. */
export interface RedirectStorage {
  /** What can be wrong with the database, for the health check. */
  readonly conditions: readonly HealthCondition[];
  /** Returns the time of the last backup, or null. */
  lastBackupMs(): Promise<number | null>;
  readonly linkStore: LinkStore & {
    /** Makes the next redirect follow a change that another process has made. */
    refresh(): void;
  };
  /**
   * Returns whether planned changes are due.
   * False if the database does not tell, or is of an earlier version.
   */
  hasDueChanges(nowMs: number): Promise<boolean>;
  /** Null where a server keeps the database. */
  sizes(): DatabaseSizes | null;
  scanStatus(): HitLogStatus;
  /** Whether there was a database. Until the app has created one, every link is unknown. */
  readonly hasDatabase: boolean;
  /**
   * Writes hits that could not be written yet, and closes the database. No link may be followed any more.
   *
   * @param isAppClosed whether an app has served the database and closed it, so that the rest may be added to it
   * @returns the number of hits that could not be written and are lost
   */
  close(isAppClosed: boolean): Promise<number>;
}

export interface RedirectOptions {
  /** What a recorded hit survives: a power cut, or only a crash of the process. */
  readonly durability: 'power' | 'process';
  readonly log: Logger;
  /** Whether there must be a database, because no app will create one. */
  readonly isDatabaseRequired: boolean;
}

/** State of the log of hits, for health and metrics. */
export interface HitLogStatus {
  /** Whether hits are written at all. */
  readonly areRecorded: boolean;
  /** Hits written since the start. */
  readonly committed: number;
  /** Hits that could not be written yet: in memory, or in a file of the copy. */
  readonly buffered: number;
  /** Why writes fail. Null while they succeed, and in the first three seconds of another process's lock. */
  readonly problem: string | null;
}

/** Returns the condition that scans cannot be written. @param text says why, and what to do */
export function notWrittenCondition(
  status: () => HitLogStatus,
  text: (buffered: number, problem: string) => string,
): HealthCondition {
  return {
    name: 'scans_not_written',
    severity: 'problem',
    check: () => {
      const { problem, buffered } = status();
      return problem === null ? [] : [text(buffered, problem)];
    },
  };
}

/**
 * Creates the error for a database that only a later version can read.
 *
 * @param database begins the message, `The database NAME`
 * @param found.last the version that served it last, or null if it does not tell
 * @param found.known the number of the schema that this version has
 */
export function newerDatabase(
  database: string,
  { last, schema, known }: { last: string | null; schema: number; known: number },
): DatabaseUnusable {
  const newer = [...(last === null ? [] : [last]), `schema ${schema}`].join(', ');
  return new DatabaseUnusable(
    `${database} was made by a newer Waymark (${newer}). This is Waymark ${version} (schema ${known}). ` +
      'Use the newer version, or restore a backup made before the upgrade.',
  );
}

/** A constraint that the schemas of all releases after 1.1.0 have (`sql/tables.ts`), and none in between has. */
export const releasedConstraint = 'planned_changes_destination';

/**
 * Creates the error for a database whose schema no release has: its steps after 1.1.0 are one step now.
 *
 * @param database begins the message, `The database NAME`
 */
export function unreleasedDatabase(database: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `${database} was made by a version after Waymark 1.1.0 that was never released, and cannot be upgraded. ` +
      'Restore a backup that a released version made, or go on with the version that made it.',
  );
}
