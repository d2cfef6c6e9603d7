import { sql } from 'drizzle-orm';
import { ownerlessEmail } from '../core/accounts/account.ts';
import type { AccountStore } from '../core/accounts/ports.ts';
import { hitKinds } from '../core/scans/hit.ts';
import type { Stores } from '../core/storage.ts';
import { type Dialect, rowOf } from '../sql/dialect.ts';
import { createSqlStores } from '../sql/stores.ts';
import { createChangeRedirects } from './codes/redirect-version.ts';
import { withDrizzle } from './database/drizzle.ts';
import type { Connection } from './database/open.ts';
import { pendingHits, tables } from './database/schema.ts';
import { createPostgresDialect } from './dialect.ts';

const scanKind = hitKinds.indexOf('scan');
const { accounts, scanCounters } = tables;

/** Creates the stores of a database. While it does not respond, they reject with StoreUnavailable. */
export function createStores(connection: Connection): Stores {
  const drizzle = withDrizzle(connection.sql);
  const lookUps = withDrizzle(connection.lookUps);
  const dialect = createPostgresDialect(drizzle, lookUps, createChangeRedirects(drizzle));
  return createSqlStores(dialect, createTotals(dialect));
}

/** Creates a function that computes the totals of the server. */
function createTotals({ read }: Dialect): AccountStore['totals'] {
  // One statement, which sees hits either in the log or in the counters.
  const columns = {
    accounts:
      sql`(select count(*) from ${accounts} where ${accounts.email} <> ${ownerlessEmail})`.mapWith(
        Number,
      ),
    qrs: sql`(select coalesce(sum(${accounts.qrCount}), 0) from ${accounts})`.mapWith(Number),
    scans: sql`(select coalesce(sum(${scanCounters.scans}), 0) from ${scanCounters}) +
      (select coalesce(sum(hits), 0) from ${pendingHits} where kind = ${scanKind})`.mapWith(Number),
  };
  return async () =>
    (await read((db) => rowOf(db.select(columns).from(sql`(values (1)) as one`)))) ?? {
      accounts: 0,
      qrs: 0,
      scans: 0,
    };
}
