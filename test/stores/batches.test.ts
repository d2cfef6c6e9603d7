import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';

const { newFolder, openIn } = createFolders();

function setUp() {
  const store = openIn(newFolder());
  let owners = 0;
  const stores = storesOn(store);
  return {
    ...stores,
    queued: async () => (await stores.flags.queued(100)).map(({ qrId }) => qrId),
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
