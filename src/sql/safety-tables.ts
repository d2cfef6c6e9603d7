import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { RecheckKind } from '../core/safety/ports.ts';
import type { ListSource, ThreatList, UpdateRecord } from '../core/safety/threat-lists.ts';
import type { Columns } from './column-types.ts';

/** Defines the tables of the safe-browsing check. */
export function createSafetyTables(columns: Columns, qrs: { readonly id: AnyPgColumn }) {
  const { table, index, primaryKey, id, text, integer, bytes, json } = columns;
  const qrReference = () =>
    integer('qr_id')
      .notNull()
      .references(() => qrs.id);

  /** Codes whose destination was listed after it was accepted. */
  const flags = table(
    'flags',
    {
      qrId: qrReference().primaryKey(),
      /** The account of the code. Null when a server of the version before has set the flag. */
      accountId: integer('account_id'),
      list: text('list').notNull(),
      expression: text('expression').notNull(),
      sinceMs: integer('since').notNull(),
    },
    (flag) => [index('flags_by_account').on(flag.accountId, flag.qrId)],
  );

  /** Queue of codes whose destination was not checked fully, in the order of the re-check. */
  const recheckQueue = table('recheck_queue', {
    id: id(),
    qrId: qrReference().unique(),
  });

  /** The last complete re-check of each kind. */
  const recheckRuns = table('recheck_runs', {
    kind: text('kind').$type<RecheckKind>().primaryKey(),
    listVersion: text('list_version').notNull(),
    startedMs: integer('started_at').notNull(),
  });

  /** Allow and block rules of the operator. */
  const rules = table('rules', {
    /** Never reused. */
    id: id(),
    /** Host suffix and path prefix (Safe Browsing, "Host-Suffix Path-Prefix Expressions"). */
    expression: text('expression').notNull().unique(),
    decision: text('decision').$type<'allow' | 'block'>().notNull(),
    addedAtMs: integer('added_at').notNull(),
    note: text('note').notNull(),
  });

  /** Sources that threat lists are downloaded from. */
  const listSources = table('list_sources', {
    name: text('name').primaryKey(),
    source: json<ListSource>('source').notNull(),
    lastUpdate: json<UpdateRecord>('last_update'),
  });

  /** Imported threat lists. */
  const threatLists = table('threat_lists', {
    id: id(),
    /** Null while the entries are written, and while those of a replaced list are deleted. */
    source: text('source').unique(),
    list: json<ThreatList>('list').notNull(),
  });

  /** Entries of threat lists. */
  const threatListEntries = table(
    'threat_list_entries',
    {
      listId: integer('list_id').notNull(),
      hash: bytes('hash').notNull(),
    },
    (entry) => [primaryKey({ columns: [entry.listId, entry.hash] })],
  );

  return {
    flags,
    recheckQueue,
    recheckRuns,
    rules,
    listSources,
    threatLists,
    threatListEntries,
  };
}
