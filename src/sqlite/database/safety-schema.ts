import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ListSource, ThreatList, UpdateRecord } from '../../core/safety/threat-lists.ts';
import { qrReference } from './schema.ts';

/** Tables of the safe-browsing check. */

/** Codes whose destination was listed after it was accepted. */
export const flags = sqliteTable('flags', {
  qrId: qrReference().primaryKey(),
  list: text().notNull(),
  expression: text().notNull(),
  sinceMs: integer('since').notNull(),
});

/** Queue of codes whose destination was not checked fully, in the order of the re-check. */
export const recheckQueue = sqliteTable('recheck_queue', {
  id: integer().primaryKey({ autoIncrement: true }),
  qrId: qrReference().unique(),
});

/** The last complete re-check of each kind. */
export const recheckRuns = sqliteTable('recheck_runs', {
  kind: text({ enum: ['lists', 'provider'] }).primaryKey(),
  listVersion: text('list_version').notNull(),
  startedMs: integer('started_at').notNull(),
});

/** Allow and block rules of the operator. */
export const rules = sqliteTable('rules', {
  /** Never reused, so that the last id is the number of additions. */
  id: integer().primaryKey({ autoIncrement: true }),
  /** Host suffix and path prefix (Safe Browsing, "Host-Suffix Path-Prefix Expressions"). */
  expression: text().notNull().unique(),
  decision: text({ enum: ['allow', 'block'] }).notNull(),
  addedAtMs: integer('added_at').notNull(),
  note: text().notNull(),
});

/** Sources that threat lists are downloaded from. */
export const listSources = sqliteTable('list_sources', {
  name: text().primaryKey(),
  source: text({ mode: 'json' }).$type<ListSource>().notNull(),
  lastUpdate: text('last_update', { mode: 'json' }).$type<UpdateRecord>(),
});

/** Imported threat lists. */
export const threatLists = sqliteTable('threat_lists', {
  id: integer().primaryKey({ autoIncrement: true }),
  /** Null while the entries are written, and while those of a replaced list are deleted. */
  source: text().unique(),
  list: text({ mode: 'json' }).$type<ThreatList>().notNull(),
});

/** Entries of threat lists: SHA-256 of expressions. The migration creates the table without a rowid. */
export const threatListEntries = sqliteTable(
  'threat_list_entries',
  {
    listId: integer('list_id').notNull(),
    hash: blob({ mode: 'buffer' }).notNull(),
  },
  (entry) => [primaryKey({ columns: [entry.listId, entry.hash] })],
);
