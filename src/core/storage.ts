import type { Logger } from '../lib/logger.ts';
import type { ActivityEntry, ActivityStore } from './accounts/activity/ports.ts';
import type { PeopleStore } from './accounts/people/ports.ts';
import type {
  AccountStore,
  ApiKeyStore,
  CredentialStore,
  IdentityStore,
  SecondFactorStore,
  SessionStore,
  SharedLimits,
  SignInLinkStore,
  SignInStepStore,
  StoredSecret,
} from './accounts/ports.ts';
import type { Snapshot } from './backups/snapshot.ts';
import type { BatchStore, BulkEditStore, ColumnChoiceStore } from './batches/ports.ts';
import type { QrLabels } from './codes/fields.ts';
import type {
  CodeListStore,
  DomainStore,
  LinkImportStore,
  QrStore,
  StoredDomain,
} from './codes/ports.ts';
import type { QrImageSource, QrStatus } from './codes/qr.ts';
import type { ScheduledChange } from './codes/schedule/change.ts';
import type { ScheduleStore } from './codes/schedule/ports.ts';
import type { DesignStore, PictureStore, SavedDesignStore } from './designs/ports.ts';
import type { DatabaseSizes, HealthCondition } from './health.ts';
import type { LostChanges } from './lost-changes.ts';
import type {
  FlagStore,
  ListSourceStore,
  RecheckRunStore,
  RuleStore,
  ThreatListStore,
} from './safety/ports.ts';
import type { OverviewStore } from './scans/ports.ts';

/** A database that keeps all state: a file in the data folder, or on a server. */
export interface Storage {
  /** Path or address, without a password. */
  readonly name: string;
  /** Returns whether the database exists and has tables. */
  exists(): Promise<boolean>;
  /** Returns whether a server has the database open. */
  isServed(): Promise<boolean>;
  /**
   * Runs an operation while no server uses the database.
   *
   * @throws DatabaseUnusable when one does
   */
  whileStopped<T>(run: () => Promise<T>): Promise<T>;
  /**
   * Opens the database for a server and migrates its schema. Creates it if missing.
   *
   * @throws DatabaseUnusable; the database is unchanged then
   */
  openForServer(options: ServerOptions): Promise<ServerStorage>;
  /**
   * Opens the database for a command, beside servers or without one.
   *
   * @throws DatabaseUnusable when it is missing, damaged, or of an earlier version and may not be upgraded
   */
  openForCommand(options: CommandOptions): Promise<CommandStorage>;
  /** Ends the warning that the database went back to an older state. */
  acceptLoss(): Promise<void>;
  /**
   * Opens the database read-only, also beside running servers. Does not migrate it.
   *
   * @throws DatabaseUnusable when it is missing, damaged or not Waymark's
   */
  openForReading(): Promise<StorageReader>;
  /**
   * Reads everything in one state.
   *
   * @throws DatabaseUnusable when the database is missing or of an earlier version
   */
  readSnapshot<T>(use: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /**
   * Fills the database, which must be missing or without accounts, and in use by nothing else.
   * Nothing is written after a failure.
   *
   * @param options.replace whether there may be accounts, which are lost
   * @param options.verify called with what was written; throws to discard it
   * @throws DatabaseUnusable when it has accounts
   */
  writeSnapshot(
    snapshot: Snapshot,
    options: { replace: boolean; verify: (written: Snapshot) => Promise<void> },
  ): Promise<void>;
  /**
   * Writes a snapshot into an SQLite file, also while servers write. The copy is checked before it gets
   * its name, so a file of that name is always a complete backup. Records the time in the database if it
   * can be written.
   *
   * @param options.replace whether an existing file may be replaced
   * @throws FileError, DatabaseUnusable
   */
  backUp(file: string, options: { replace: boolean; nowMs: number }): Promise<Backup>;
  /**
   * Writes everything that can be read of a damaged database into a new SQLite file. Only reads the
   * database.
   *
   * @param options.replace whether an existing file may be replaced
   * @throws FileError, DatabaseUnusable
   */
  repair(file: string, options: { replace: boolean; nowMs: number }): Promise<Repaired>;
  /**
   * Replaces the database by a backup. The database is unchanged after a failure.
   *
   * @throws WouldReplaceDatabase when there is one and it may not; FileError, DatabaseUnusable
   */
  restore(file: string, options: RestoreOptions): Promise<Restored>;
}

export interface RestoreOptions {
  /** Whether an existing database may be replaced. */
  readonly replace: boolean;
  /** Whether to keep the sessions, known browsers and one-time links of the backup. */
  readonly keepSessions: boolean;
  readonly nowMs: number;
}

export interface ServerOptions {
  /** What an answered write survives: a power cut, or only a crash of the process. */
  readonly durability: 'power' | 'process';
  readonly log: Logger;
  /** Whether there must be a database, because the redirect server has served it. */
  readonly isDatabaseRequired: boolean;
  /** Called with an existing database before it is migrated; throws to end the start. */
  readonly check: (reader: StorageReader) => Promise<void>;
}

interface CommandOptions {
  /** Whether to create a missing database. Otherwise a mistyped name is an error. */
  readonly create?: boolean;
  /** Whether to migrate the schema of an earlier version, which then may not open the database. */
  readonly upgrade?: boolean;
}

/** The stores of a database. */
export interface Stores {
  readonly accounts: AccountStore;
  readonly keys: ApiKeyStore;
  readonly credentials: CredentialStore;
  readonly sessions: SessionStore;
  readonly signInLinks: SignInLinkStore;
  readonly signInSteps: SignInStepStore;
  readonly identities: IdentityStore;
  readonly people: PeopleStore;
  readonly secondFactors: SecondFactorStore;
  readonly designs: DesignStore;
  readonly savedDesigns: SavedDesignStore;
  readonly pictures: PictureStore;
  readonly qrs: QrStore;
  readonly domains: DomainStore;
  readonly codeLists: CodeListStore;
  readonly linkImports: LinkImportStore;
  readonly batches: BatchStore;
  readonly columnChoices: ColumnChoiceStore;
  readonly bulkEdits: BulkEditStore;
  readonly overview: OverviewStore;
  readonly schedule: ScheduleStore;
  readonly activity: ActivityStore;
  readonly flags: FlagStore;
  readonly runs: RecheckRunStore;
  readonly rules: RuleStore;
  readonly sources: ListSourceStore;
  readonly lists: ThreatListStore;
}

/** What each of the two processes of a server has opened. */
interface OpenedStorage {
  /** What can be wrong with the database, for the health check. */
  readonly conditions: readonly HealthCondition[];
  /** Returns the time of the last backup by `backUp`, or null. */
  lastBackupMs(): Promise<number | null>;
}

/** Long background work that one of all copies does. */
export type ExclusiveTask = 'lists rechecks' | 'provider rechecks' | 'backup';

/** A database that the app server has opened. */
export interface ServerStorage extends OpenedStorage {
  /** Loads the limits that copies count together. Null where one server has the database for itself. */
  limits(): Promise<SharedLimits | null>;
  sizes(): DatabaseSizes;
  /**
   * Runs a task, unless another copy runs it.
   *
   * @param run is given a function that returns false once another copy may run the task as well
   */
  exclusively(task: ExclusiveTask, run: (isHeld: () => boolean) => Promise<unknown>): Promise<void>;
  /** Whether there was no account at the start. */
  readonly isNew: boolean;
  /** Loads the stores, once. A start and redirects do without them. */
  stores(): Promise<Stores>;
  /**
   * Records the version that serves from now on, if it differs from the last one.
   *
   * @throws StoreUnavailable when the database cannot be written
   */
  recordServerVersion(version: ServerVersion, atMs: number): Promise<void>;
  /** Closes the database. No call may follow. */
  close(): Promise<void>;
}

/** A database that a command has opened. */
export interface CommandStorage extends Stores, Pick<ServerStorage, 'recordServerVersion'> {
  /**
   * Writes the database anew, so that its files have nothing of what was deleted.
   * PostgreSQL does so itself, see docs/privacy.md.
   *
   * @returns why that failed, or null
   */
  eraseFreeSpace(): Promise<string | null>;
  close(): Promise<void>;
}

/** A database opened read-only. Its schema may be that of an earlier version. */
export interface StorageReader {
  /** Path or address of the database, without a password. */
  readonly name: string;
  /** Whether the next start of a server migrates the schema. */
  readonly isOutdated: boolean;
  /** Whether it is a copy that cannot be written, such as a standby. */
  readonly isStandby: boolean;
  hasCodes(): Promise<boolean>;
  /** Returns whether any account is an operator. True while there is no account. */
  hasOperator(): Promise<boolean>;
  /**
   * Returns the addresses in printed codes that are no domains, `scheme://host[:port][/path]` in alphabetical order.
   * They are those of the main domain, which settings have to name.
   */
  usedShortUrlPrefixes(): Promise<string[]>;
  /** Returns the short URL of the server that started last; none before the first start. */
  servedPrefixes(): Promise<string[]>;
  /** Returns the secrets of all second factors. */
  storedSecrets(): Promise<StoredSecret[]>;
  /** Returns the version that served the database last, or null when none has. */
  lastServerVersion(): Promise<ServerVersion | null>;
  /**
   * Returns the newest time of codes, scans and starts, or null if there is none.
   *
   * @param maxCounters codes whose last scan to look at
   */
  newestTimeMs(maxCounters: number): Promise<number | null>;
  /** Returns what is lost because a database on a server went back to an older state, or null. */
  lostChanges(): Promise<LostChanges | null>;
  /** Returns the time of the first account or start, or null if there is none. */
  firstTimeMs(): Promise<number | null>;
  /** Returns the time of the last backup by `backUp`, or null. */
  lastBackupMs(): Promise<number | null>;
  readonly designs: Pick<DesignStore, 'find' | 'pngHash'>;
  /** Returns the stored images of all codes, oldest first. */
  allImages(): AsyncIterable<QrImageSource>;
  /** Returns the stored images of up to `size` codes of all ages. */
  sampleImages(size: number): AsyncIterable<QrImageSource>;
  /**
   * Reads the codes of all accounts, or of one, in one snapshot and with bounded memory.
   *
   * @param use may iterate over the redirects several times
   */
  withRedirects<T>(
    use: (redirects: StoredRedirects) => Promise<T>,
    accountId?: number | null,
  ): Promise<T>;
  /** Returns the id of the account with an e-mail address in its stored form, or null. */
  accountId(email: string): Promise<number | null>;
  /**
   * Checks the whole database and returns the first integrity error, or null.
   * A database on a server is left to its own tools.
   */
  integrityError(): Promise<string | null>;
  /**
   * Checks the file of the scans that wait to be counted, if there is one.
   * Returns its first error, or null.
   */
  hitsError(): Promise<string | null>;
  sizes(): Promise<DatabaseSizes>;
  close(): Promise<void>;
}

/** Codes, as an export needs them. */
export interface StoredRedirects {
  /** Addresses of the main domain in printed codes, in lower case. */
  readonly prefixes: readonly string[];
  /** The domains beside the main one. */
  readonly domains: readonly Pick<StoredDomain, 'url' | 'frontUrl' | 'notFoundUrl'>[];
  readonly codes: number;
  readonly active: number;
  /** Why codes are missing because of damage, with what to do; null if all can be read. */
  readonly missing: string | null;
  /**
   * Iterates in the order of the codes.
   *
   * @param options.hasActivity whether the newest entries of the activity of each code are read too
   * @param options.passesQuery only codes that pass the query of visitors on; false: all
   */
  redirects(options?: {
    readonly hasActivity?: boolean;
    readonly passesQuery?: boolean;
  }): Iterable<StoredRedirect> | AsyncIterable<StoredRedirect>;
  /**
   * Iterates over the scans of each code on each day of UTC that has any, in the order of the codes and days.
   * Scans of the last second may be missing. Null if the database is damaged.
   */
  readonly dailyScans: (() => AsyncIterable<StoredDailyScans>) | null;
}

/** The scans of a code on a day of UTC. */
export interface StoredDailyScans extends Pick<QrLabels, 'name' | 'folder'> {
  readonly code: string;
  /** Its first millisecond. */
  readonly dayMs: number;
  readonly scans: number;
}

export interface StoredRedirect extends QrLabels {
  readonly isArchived: boolean;
  readonly code: string;
  readonly shortLink: string;
  readonly destination: string;
  readonly status: QrStatus;
  /** Whether Waymark has drawn an image of it, which an imported link and a stopped code lack. */
  readonly hasImage: boolean;
  readonly scheduledChanges: readonly StoredScheduledChange[];
  /** Newest first. */
  readonly activity: readonly StoredActivity[];
  /** What its page says while it is paused. */
  readonly pausedPage: {
    readonly businessName: string | null;
    readonly message: string | null;
    readonly link: string | null;
  };
}

/** An entry of the activity of a code in an export. */
export type StoredActivity = Omit<ActivityEntry, 'id' | 'code'>;

/** A scheduled change of a code in an export. */
export type StoredScheduledChange = Pick<
  ScheduledChange,
  'action' | 'destination' | 'firstLocal' | 'every' | 'nextMs'
> & { readonly zone: string };

/** A version that has served a database. */
export interface ServerVersion {
  readonly version: string;
  /** Identifies how the version draws images, see `rendererIdentity`. */
  readonly renderer: string;
}

/** Numbers of rows and hits in a database. */
export interface RowCounts {
  readonly accounts: number;
  readonly designs: number;
  readonly qrs: number;
  /** Scans and uncounted hits, aggregated or not. */
  readonly hits: number;
}

/** Result of a backup. */
export interface Backup {
  readonly bytes: number;
  readonly rows: RowCounts;
}

/** Result of a repair. */
export interface Repaired extends Backup {
  readonly missing: {
    /** Codes that are named in the damaged database, but whose rows cannot be read. */
    readonly codes: readonly string[];
    readonly rows: readonly {
      readonly table: string;
      /** Ranges of row numbers, of which some may never have existed. Null for an unknown end. */
      readonly unreadable: readonly { readonly first: number; readonly last: number | null }[];
      /** Rows that could be read, but break a rule of the schema. */
      readonly rejected: number;
    }[];
    /** Sentences that tell what was substituted or left out. */
    readonly notes: readonly string[];
  };
}

/** Result of a restore. */
export interface Restored {
  readonly rows: RowCounts;
  /** Addresses in the restored codes that are no domains. */
  readonly shortUrlPrefixes: readonly string[];
  /** Triggers, views, indexes and tables of the backup that Waymark did not make: `trigger x`. */
  readonly leftOut: readonly string[];
  /** Where the replaced database is kept; null if there was none. */
  readonly kept: string | null;
  /** What the replaced database had; null if there was none. */
  readonly losses: RestoreLosses | null;
}

/** What a restore takes back. */
export interface RestoreLosses {
  /** Codes of the database that is replaced. */
  readonly codes: number;
  /** Codes that the backup lacks, oldest first. Their printed links have no destination any more. */
  readonly lostCodes: readonly { readonly code: string; readonly destination: string }[];
  /** Codes that the backup has with another destination. */
  readonly changedCodes: number;
  /** False when the database cannot be read completely, so that it may have more codes. */
  readonly isComplete: boolean;
}

/** A restore was not allowed to replace the existing database. */
export class WouldReplaceDatabase extends Error {
  override readonly name = 'WouldReplaceDatabase';

  /** @param database the data folder, or the address without a password */
  constructor(
    readonly database: string,
    readonly losses: RestoreLosses,
  ) {
    super(`There is a database in ${database} already.`);
  }
}
