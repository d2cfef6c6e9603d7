import { pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { RecheckKind } from '../../core/safety/schedule.ts';
import type { ListSource, ThreatList, UpdateRecord } from '../../core/safety/threat-lists.ts';
import { bytea, id, integer, json, text } from './columns.ts';
import { qrReference } from './schema.ts';

/** Tables of the safe-browsing check. */

/** Codes whose destination was listed after it was accepted. */
export const flags = pgTable('flags', {
  qrId: qrReference().primaryKey(),
  list: text('list').notNull(),
  expression: text('expression').notNull(),
  sinceMs: integer('since').notNull(),
});

/** Queue of codes whose destination was not checked fully, in the order of the re-check. */
export const recheckQueue = pgTable('recheck_queue', {
  id: id(),
  qrId: qrReference().unique(),
});

/** The last complete re-check of each kind. */
export const recheckRuns = pgTable('recheck_runs', {
  kind: text('kind').$type<RecheckKind>().primaryKey(),
  listVersion: text('list_version').notNull(),
  startedMs: integer('started_at').notNull(),
});

/** Allow and block rules of the operator. */
export const rules = pgTable('rules', {
  /** Never reused. */
  id: id(),
  /** Host suffix and path prefix (Safe Browsing, "Host-Suffix Path-Prefix Expressions"). */
  expression: text('expression').notNull().unique(),
  decision: text('decision').$type<'allow' | 'block'>().notNull(),
  addedAtMs: integer('added_at').notNull(),
  note: text('note').notNull(),
});

/** Sources that threat lists are downloaded from. */
export const listSources = pgTable('list_sources', {
  name: text('name').primaryKey(),
  source: json<ListSource>('source').notNull(),
  lastUpdate: json<UpdateRecord>('last_update'),
});

/** Imported threat lists. */
export const threatLists = pgTable('threat_lists', {
  id: id(),
  source: text('source').notNull().unique(),
  list: json<ThreatList>('list').notNull(),
});

/** Entries of threat lists. */
export const threatListEntries = pgTable(
  'threat_list_entries',
  {
    listId: integer('list_id')
      .notNull()
      .references(() => threatLists.id),
    hash: bytea('hash').notNull(),
  },
  (entry) => [primaryKey({ columns: [entry.listId, entry.hash] })],
);
