import { sql } from 'drizzle-orm';
import {
  boolean,
  integer as int,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  timestamp,
} from 'drizzle-orm/pg-core';
import { postgresColumns } from '../../sql/column-types.ts';
import { createTables } from '../../sql/tables.ts';

/** The tables that SQLite has as well, under the same names, so that data can be moved between both. */
export const tables = createTables(postgresColumns);

const { integer, text } = postgresColumns;

/** One row, which also marks the database as Waymark's. */
export const waymark = pgTable('waymark', {
  /** Number of migrations that the schema has. */
  schemaVersion: integer('schema_version').notNull(),
  /** Number of migrations that a program must know to use the schema. */
  minVersion: integer('min_version').notNull(),
});

/**
 * One row: the version of all redirects.
 * Each transaction that changes what a short link does gives it the next.
 */
export const redirectVersion = pgTable('redirect_version', {
  // Not indexed, so that an update needs no other page.
  version: integer('version').notNull(),
  /** See `LostChanges`. Null unless the database went back, and nobody has accepted that. */
  lostSinceMs: integer('lost_since'),
  lostUntilMs: integer('lost_until'),
});

/** What the last versions changed. */
export const redirectSteps = pgTable('redirect_steps', {
  version: integer('version').primaryKey(),
  /** JSON of the codes whose redirect changed; null for all. */
  codes: text('codes'),
});

/** Committed hits that are not yet aggregated, one row per statement. Read them through `pendingHits`. */
export const scanLog = pgTable(
  'scan_log',
  {
    /** The process that wrote the row: a random number. */
    copy: integer('copy').notNull(),
    /** Number of the statement in that process. A repeated statement has the same number. */
    number: integer('number').notNull(),
    /** The process repeats no statement up to this number. Used for processes that are not in `hit_progress`. */
    settled: integer('settled').notNull(),
    // Equally long; null once aggregated. The row stays until its statement cannot be repeated.
    /** See `hitKey`. */
    targets: integer('targets').array(),
    times: integer('times').array(),
    /** Null if each is one. */
    counts: integer('counts').array(),
    writtenAt: timestamp('written_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (row) => [primaryKey({ columns: [row.copy, row.number] })],
);

/**
 * The requests of each API key in the last minute.
 * Unlogged, as the migration says: a crash of PostgreSQL empties it, and a request writes no write-ahead log.
 */
export const rateWindows = pgTable('rate_windows', {
  key: text('key').primaryKey(),
  /** Times of admitted requests, oldest first: of each, or of every hundredth for a limit of ten thousand. */
  times: timestamp('times', { withTimezone: true }).array().notNull(),
  /** Requests after the last of them. */
  rest: int('rest').notNull(),
  /** Whether the last request was admitted, and when that was decided. */
  isAdmitted: boolean('is_admitted').notNull(),
  decidedAt: timestamp('decided_at', { withTimezone: true }).notNull(),
});

/** Failed attempts, by the hash of a name. Unlogged too. */
export const throttles = pgTable('throttles', {
  name: text('name').primaryKey(),
  /** When the whole burst is available again. */
  fullAt: timestamp('full_at', { withTimezone: true }).notNull(),
  /** When that was written. */
  writtenAt: timestamp('written_at', { withTimezone: true }).notNull(),
});

/**
 * The processes that have written hits, and up to which number their statements are settled.
 * A statement up to that number writes nothing, however late it comes. The row of a process that has ended stays.
 */
export const hitProgress = pgTable('hit_progress', {
  /** The `copy` of the log. */
  log: integer('log').primaryKey(),
  folded: integer('folded').notNull(),
});

/** The hits of the log. With the counters they are exact in any single statement. */
export const pendingHits = pgView('pending_hits', {
  qrId: integer('qr_id').notNull(),
  /** Index in `hitKinds`. */
  kind: smallint('kind').notNull(),
  atMs: integer('at').notNull(),
  hits: integer('hits').notNull(),
}).as(sql`SELECT target / 8 AS qr_id, (target % 8)::smallint AS kind, at, coalesce(count, 1) AS hits
  FROM scan_log, unnest(targets, times, counts) AS hit (target, at, count)`);
