import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccountStore } from '../../src/sqlite/accounts/accounts.ts';
import { createQrList } from '../../src/sqlite/codes/list.ts';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { addManyQrs, planOf, statementsOf } from '../stores/many-qrs.ts';
import { median, printTable } from './table.ts';

/**
 * Pages of the list of one account with many QRs: how SQLite finds them, and how long the store takes
 * for each. The thread is blocked for as long.
 *
 *   bun test/bench/list.ts [QRs of the account]
 */
const count = Number(process.argv[2] ?? 1_000_000);
const limit = 50;
const rounds = 15;

const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-list-'));
try {
  const database = openStore(folder, { durability: 'process', busyTimeoutMs: 0 });
  const account = await createAccountStore(database).create({
    email: 'many@example.com',
    isOperator: false,
    planUntilMs: null,
    passwordHash: null,
    atMs: 0,
  });
  if (account === 'taken') throw new Error('a new database held an account');
  addManyQrs(database.$client, { accountId: account.id, designId: 1 }, count);
  const store = createQrStore(database, { forget: () => {} }, { unfolded: () => [] });
  const page = (offset: number) => store.listPage(account.id, limit, offset);
  const firstPage = () =>
    createQrList(database.$client, { unfolded: () => [] }).page(account.id, limit, 0);

  console.log(`${count} QRs, pages of ${limit}. Plan:\n`);
  for (const sql of await statementsOf(database.$client, firstPage))
    console.log(`${planOf(database.$client, sql).join('\n')}\n`);

  const rows: string[][] = [];
  for (const offset of [0, 10_000, 100_000, count - limit]) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const beginMs = performance.now();
      const { qrs } = await page(offset);
      times.push(performance.now() - beginMs);
      if (qrs.length !== limit) throw new Error(`a page of ${qrs.length}`);
    }
    const figures = [times[0] ?? 0, median(times), Math.max(...times)];
    rows.push([offset.toLocaleString('en'), ...figures.map((ms) => ms.toFixed(2))]);
  }
  printTable(['offset', 'first, ms', 'median, ms', 'slowest, ms'], rows);
  database.$client.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
