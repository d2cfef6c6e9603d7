import type { SQL, TransactionSQL } from 'bun';
import { DatabaseUnusable } from '../../core/errors.ts';
import { readMigrations } from '../../lib/build/migrations.macro.ts' with { type: 'macro' };
import type { Migration } from '../../lib/build/migrations.macro.ts';
import { sqlState } from '../../redirect/postgres/errors.ts';
import { newerDatabase, releasedConstraint, unreleasedDatabase } from '../../redirect/storage.ts';
import { derivedColumns } from '../../sql/database/derived-columns.ts';
import { findLastVersion } from '../../sql/database/startup-queries.ts';
import { fill } from './derived-columns.ts';
import { runQueries } from './queries.ts';

const knownSteps = readMigrations('drizzle/postgres');

/** What the schema of a database has. */
export interface MigrationState {
  /** Whether there are no tables. */
  readonly isEmpty: boolean;
  /** Number of steps that this program knows and the schema lacks. */
  readonly missingSteps: number;
  /** Whether servers of the earlier version cannot keep running after these steps. */
  readonly isBreaking: boolean;
}

// Its number of steps. Those of versions in between were never released, and count again.
const schemaOf1_1 = 20;

// Held while a step is applied, so that copies that start together do not collide. "Waym".
export const advisoryLock = 0x57_61_79_6d;
// Redirects queue behind a migration that waits for a table. They must not notice.
const lockTimeoutMs = 80;
// About a minute. A VACUUM of a large table takes that long.
const maxAttempts = 300;
const retryDelayMs = 100;

/**
 * Reads what the schema has. Only reads.
 *
 * @throws DatabaseUnusable when the tables are of another program, or need a later version of this one
 */
export async function readMigrationState(
  sql: SQL | TransactionSQL,
  name: string,
  steps: readonly Migration[] = knownSteps,
): Promise<MigrationState> {
  const tables = await sql.unsafe<{ name: string }[]>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1 LIMIT 1000',
  );
  if (tables.length === 0) return { isEmpty: true, missingSteps: steps.length, isBreaking: false };
  if (!tables.some((table) => table.name === 'waymark'))
    throw new DatabaseUnusable(
      `The database ${name} has tables of another program (${tables[0]?.name}). Name an empty database in ` +
        'WAYMARK_DATABASE_URL, or one that Waymark has created.',
    );
  const schema = await readVersion(sql);
  if (schema.version > schemaOf1_1 && !(await hasReleasedSchema(sql)))
    throw unreleasedDatabase(`The database ${name}`);
  if (schema.minVersion > steps.length)
    throw newerDatabase(`The database ${name}`, {
      last: await runQueries(sql, findLastVersion()),
      schema: schema.version,
      known: steps.length,
    });
  const missing = steps.slice(schema.version);
  return {
    isEmpty: false,
    missingSteps: missing.length,
    isBreaking: missing.some((step) => step.isBreaking),
  };
}

/** Returns whether a schema later than that of 1.1.0 is one of a release. */
async function hasReleasedSchema(sql: SQL | TransactionSQL): Promise<boolean> {
  const found = await sql.unsafe(
    'SELECT 1 FROM pg_constraint WHERE conname = $1 AND connamespace = current_schema()::regnamespace',
    [releasedConstraint],
  );
  return found.length > 0;
}

/**
 * Applies the missing steps, each in a transaction of its own, so that tables are locked only briefly.
 * Servers of the previous version keep running meanwhile: a step only adds, unless it is marked as breaking.
 */
export async function migrate(sql: SQL, steps: readonly Migration[] = knownSteps): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      while (await sql.begin((transaction) => applyNext(transaction, steps)));
      return;
    } catch (error) {
      const isLockTimeout = sqlState(error) === '55P03';
      if (!isLockTimeout || attempt === maxAttempts) throw error;
      await Bun.sleep(retryDelayMs);
    }
}

/** Applies the first missing step and returns whether there was one. */
async function applyNext(sql: TransactionSQL, steps: readonly Migration[]): Promise<boolean> {
  await sql.unsafe(`SELECT pg_advisory_xact_lock(${advisoryLock})`);
  await sql.unsafe(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
  await sql.unsafe('SET LOCAL statement_timeout = 0');
  const [table] = await sql.unsafe("SELECT to_regclass('waymark') AS name");
  const isNew = table?.name === null;
  const schema = isNew ? { version: 0, minVersion: 0 } : await readVersion(sql);
  const step = steps[schema.version];
  if (step === undefined) return false;
  for (const statement of step.statements) await sql.unsafe(statement);
  for (const derived of derivedColumns)
    if (step.statements.some((statement) => statement.includes(`"${derived.column}"`)))
      await fill(sql, derived);
  const next = schema.version + 1;
  const nextMin = step.isBreaking || isNew ? next : schema.minVersion;
  await sql.unsafe(
    isNew
      ? 'INSERT INTO waymark (schema_version, min_version) VALUES ($1, $2)'
      : 'UPDATE waymark SET schema_version = $1, min_version = $2',
    [next, nextMin],
  );
  return true;
}

async function readVersion(sql: SQL | TransactionSQL) {
  const [row] = await sql.unsafe<{ version: number; minVersion: number }[]>(
    'SELECT schema_version::int AS version, min_version::int AS "minVersion" FROM waymark',
  );
  // Another copy is creating the schema if there is no row.
  return row ?? { version: 0, minVersion: 0 };
}
