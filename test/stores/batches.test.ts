import { createBatchStore } from '../../src/sqlite/codes/batches.ts';
import { createBulkEditStore } from '../../src/sqlite/codes/bulk-edits.ts';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import { recheckQueue } from '../../src/sqlite/database/safety-schema.ts';
import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { addAccount, createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

function setUp() {
  const store = openIn(newFolder());
  const links = { forget: () => {} };
  let owners = 0;
  return {
    batches: createBatchStore(store),
    bulkEdits: createBulkEditStore(store, links),
    qrs: createQrStore(store, links, { pending: () => [] }),
    queued: async () =>
      store
        .select()
        .from(recheckQueue)
        .all()
        .map(({ qrId }) => qrId),
    newOwner: () => addAccount(store, `${owners++}@example.com`),
  };
}

batchStoreSuite('sqlite', () => {
  const { batches: store, qrs, newOwner } = setUp();
  return { store, qrs, newOwner };
});

bulkEditStoreSuite('sqlite', () => {
  const { bulkEdits: store, qrs, newOwner, queued } = setUp();
  return { store, qrs, newOwner, queued };
});
