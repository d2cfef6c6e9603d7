import { afterAll, test } from 'bun:test';
import { SQL } from 'bun';
import { createStorage } from '../../src/compose/storage.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { codeListStoreSuite } from './code-lists.suite.ts';
import { overviewStoreSuite } from './overview.suite.ts';
import { qrStoreSuite } from './qr-store.suite.ts';
import { savedDesignsSuite } from './saved-designs.suite.ts';
import { hour } from './scans.ts';

async function open() {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const sql = new SQL(databaseUrl);
  const storage = await createStorage({ data: './data', databaseUrl });
  const stores = await storage.openForCommand({ create: true });
  afterAll(async () => {
    await stores.close();
    await sql.close();
    await postgres.close();
  });
  return { ...stores, sql };
}

if (!hasPostgres) test.skip('PostgreSQL is not installed', () => {});
else {
  const {
    accounts,
    designs,
    savedDesigns,
    qrs,
    overview,
    batches,
    bulkEdits,
    flags,
    sql,
    ...others
  } = await open();
  const { codeLists, linkImports } = others;
  let owners = 0;
  const newAccount = async (): Promise<number> => {
    const created = await accounts.create({
      email: `${owners++}@example.com`,
      isOperator: false,
      planUntilMs: null,
      passwordHash: null,
      atMs: 0,
    });
    if (created === 'taken') throw new Error('the address is taken');
    return created.id;
  };
  const newOwner = async () => {
    const accountId = await newAccount();
    return { accountId, designId: (await designs.findDefault(accountId)).id };
  };
  const queued = async () => (await flags.queued(100)).map(({ qrId }) => qrId);

  const countKeys = async () =>
    Number((await sql`SELECT count(*) AS keys FROM idempotency_keys`)[0].keys);
  qrStoreSuite('postgres', () => ({ store: qrs, newOwner, countKeys }));
  overviewStoreSuite('postgres', () => ({
    qrs,
    overview,
    newOwner,
    addScans: async (qrId, timesMs) => {
      const lastMs = timesMs.at(-1);
      if (lastMs === undefined) return;
      const startOfHour = (ms: number) => Math.floor(ms / hour) * hour;
      const earlier = timesMs.map(startOfHour).filter((ms) => ms !== startOfHour(lastMs));
      await sql`UPDATE scan_counters SET scans = ${timesMs.length}, last_scan = ${lastMs},
        last_hour = ${startOfHour(lastMs)}, scans_in_hour = ${timesMs.length - earlier.length} WHERE qr_id = ${qrId}`;
      for (const ms of new Set(earlier)) {
        const scans = earlier.filter((other) => other === ms).length;
        await sql`INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (${qrId}, ${ms}, ${scans})`;
      }
    },
  }));
  savedDesignsSuite('postgres', () => ({ saved: savedDesigns, designs, newAccount }));
  batchStoreSuite('postgres', () => ({ store: batches, qrs, newOwner }));
  codeListStoreSuite('postgres', () => ({
    lists: codeLists,
    ...{ qrs, bulkEdits, linkImports, newOwner },
    addScans: async (qrId, scans, lastMs) => {
      await sql`INSERT INTO hourly_scans SELECT qr_id, last_hour, scans_in_hour
        FROM scan_counters WHERE qr_id = ${qrId} AND scans_in_hour > 0`;
      await sql`UPDATE scan_counters SET scans = scans + ${scans}, last_scan = ${lastMs},
        last_hour = ${lastMs - (lastMs % hour)}, scans_in_hour = ${scans} WHERE qr_id = ${qrId}`;
    },
  }));
  bulkEditStoreSuite('postgres', () => ({ store: bulkEdits, qrs, newOwner, queued }));
}
