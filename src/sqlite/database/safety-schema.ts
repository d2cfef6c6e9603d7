import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { listFormats } from '../../core/safety/threat-lists.ts';
import { qrs } from './schema.ts';

/** Codes whose destination came onto a list after it was accepted. */
export const flags = sqliteTable('flags', {
  qrId: integer('qr_id')
    .primaryKey()
    .references(() => qrs.id),
  list: text().notNull(),
  expression: text().notNull(),
  since: integer().notNull(),
});

/** Codes whose destination could not be checked fully, to be looked at again. */
export const recheckQueue = sqliteTable(
  'recheck_queue',
  {
    qrId: integer('qr_id')
      .primaryKey()
      .references(() => qrs.id),
    since: integer().notNull(),
  },
  (queued) => [index('recheck_queue_by_age').on(queued.since)],
);

/** Codes that their owner had paused when the operator blocked them. */
export const pausedWhenBlocked = sqliteTable('paused_when_blocked', {
  qrId: integer('qr_id')
    .primaryKey()
    .references(() => qrs.id),
});

/** The last look at all destinations of each kind, so that a start need not repeat it. */
export const looks = sqliteTable('looks', {
  kind: text({ enum: ['lists', 'whole'] }).primaryKey(),
  /** What the destinations were held against. */
  listVersion: text('generation').notNull(),
  startedMs: integer('began_at').notNull(),
});

/** Allow and block rules of the operator. */
export const rules = sqliteTable('rules', {
  /** Never reused, so that the last id given counts the additions. */
  id: integer().primaryKey({ autoIncrement: true }),
  /** Host suffix and path prefix (Safe Browsing, "Host-Suffix Path-Prefix Expressions"). */
  expression: text().notNull().unique(),
  decision: text({ enum: ['allow', 'block'] }).notNull(),
  addedAtMs: integer('added_at').notNull(),
  note: text().notNull(),
});

/** Addresses that threat lists are downloaded from, with the result of the last update. */
export const listSources = sqliteTable('list_sources', {
  name: text().primaryKey(),
  url: text().notNull(),
  addedAtMs: integer('added_at').notNull(),
  allowLoopbackHttp: integer('allow_loopback_http', { mode: 'boolean' }).notNull(),
  format: text({ enum: listFormats }),
  /** Column of a CSV file in JSON: its heading, or its position from 1. */
  column: text('csv_column'),
  checkedAtMs: integer('checked_at'),
  outcome: text({ enum: ['updated', 'unchanged', 'failed'] }),
  reason: text(),
});
