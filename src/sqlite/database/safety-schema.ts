import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
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
