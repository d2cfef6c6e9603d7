import { recheckQueue } from '../../src/sqlite/database/safety-schema.ts';
import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';

const { newFolder, openIn } = createFolders();

function setUp() {
  const store = openIn(newFolder());
  let owners = 0;
  return {
    ...storesOn(store),
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
