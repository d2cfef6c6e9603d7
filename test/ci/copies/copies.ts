import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { type Copy, createCopy } from '../../support/copies.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';
import {
  createLoggedProcesses,
  type Env,
  outputOf,
  programCommand,
  programEnv,
} from '../../support/program.ts';
import { until } from '../../support/until.ts';

/** What a test of {@link withCopies} uses. */
export interface Copies {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly databaseUrl: string;
  readonly sql: SQL;
  /** The copies that are started before the test. */
  readonly copies: readonly Copy[];
  /** Creates one more copy, whose process is not started yet, with further settings. */
  newCopy(settings?: Env): Copy;
  log(): string;
  /** Runs a command that must succeed, and returns what it prints. */
  command(...args: string[]): Promise<string>;
  /** Creates the account copies@example.com, and returns its key. */
  createKey(): Promise<string>;
  /** Adds codes of that account, with the destinations of `newCode`. */
  addCodes(count: number): Promise<string[]>;
}

/** Runs a test with copies on a PostgreSQL of its own, and ends them. */
export async function withCopies(
  number: number,
  settings: Env,
  act: (copies: Copies) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-copies-'));
  const postgres = await startPostgres({ synchronous_commit: 'on' });
  const databaseUrl = await postgres.createDatabase();
  const sql = new SQL(databaseUrl);
  const env = {
    WAYMARK_DATABASE_URL: databaseUrl,
    WAYMARK_PUBLIC_URL: 'http://qr.example.com',
    WAYMARK_RATE_LIMIT: '1000000',
    WAYMARK_DATA: folder,
    ...settings,
  };
  const processes = createLoggedProcesses(join(folder, 'copies.log'));
  const created: Copy[] = [];
  const newCopy = (more: Env = {}) => {
    const copy = createCopy(folder, { ...env, ...more }, processes);
    created.push(copy);
    return copy;
  };
  const command = (...args: string[]) =>
    outputOf([...programCommand(), ...args], { cwd: folder, env: programEnv(env) });
  const createKey = async () => {
    await command('account', 'create', 'copies@example.com', '--plan-until', '2099-12-31');
    const { key } = JSON.parse(await command('key', 'generate', 'copies@example.com', '--json'));
    return String(key);
  };
  const addCodes = async (count: number) => {
    const rows: { code: string }[] = await sql.unsafe(`
      WITH account AS (UPDATE accounts SET qr_count = ${count})
      INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
        SELECT code, 1, 1, 'https://qr.example.com/' || code,
          'https://example.com/' || number || '?version=0', 0, ''
        FROM (SELECT number, lpad(number::text, 8, '0') AS code
          FROM generate_series(0, ${count - 1}) AS number) AS numbered
        RETURNING code`);
    return rows.map(({ code }) => code);
  };
  try {
    const copies = Array.from({ length: number }, () => newCopy());
    await Promise.all(copies.map((copy) => copy.start()));
    await until(async () => (await Promise.all(copies.map(isHealthy))).every(Boolean));
    await act({
      ...{ folder, postgres, databaseUrl, sql, copies, newCopy },
      ...{ command, createKey, addCodes, log: processes.log },
    });
  } finally {
    await Promise.all(created.map(({ kill }) => kill()));
    await sql.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether a server responds and reports no problem. */
export async function isHealthy({ origin }: { readonly origin: string }): Promise<boolean> {
  const response = await fetch(`${origin}/healthz`).catch(() => null);
  return response?.status === 200;
}
