import { afterAll, test } from 'bun:test';
import { createStorage } from '../../src/compose/storage.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { qrStoreSuite } from './qr-store.suite.ts';
import { savedDesignsSuite } from './saved-designs.suite.ts';

async function open() {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const storage = await createStorage({ data: './data', databaseUrl });
  const stores = await storage.openForCommand({ create: true });
  afterAll(async () => {
    await stores.close();
    await postgres.close();
  });
  return stores;
}

if (!hasPostgres) test.skip('PostgreSQL is not installed', () => {});
else {
  const { accounts, designs, savedDesigns, qrs, batches, bulkEdits, flags } = await open();
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

  qrStoreSuite('postgres', () => ({ store: qrs, newOwner }));
  savedDesignsSuite('postgres', () => ({ saved: savedDesigns, designs, newAccount }));
  batchStoreSuite('postgres', () => ({ store: batches, qrs, newOwner }));
  bulkEditStoreSuite('postgres', () => ({ store: bulkEdits, qrs, newOwner, queued }));
}
