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
      store.$client
        .query<{ id: number }, []>('SELECT qr_id AS id FROM recheck_queue ORDER BY 1')
        .all()
        .map(({ id }) => id),
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
