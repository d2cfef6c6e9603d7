import { hitKey } from '../../src/core/scans/hit-entries.ts';
import { createScanCounters } from '../../src/sqlite/scans/counters.ts';
import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { codeListStoreSuite } from './code-lists.suite.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';

const { newFolder, openIn } = createFolders();

function setUp() {
  const store = openIn(newFolder());
  let owners = 0;
  const stores = storesOn(store);
  return {
    ...stores,
    database: store,
    queued: async () => (await stores.flags.queued(100)).map(({ qrId }) => qrId),
    newOwner: () => addAccount(store, `${owners++}@example.com`),
  };
}

batchStoreSuite('sqlite', () => {
  const { batches: store, qrs, newOwner } = setUp();
  return { store, qrs, newOwner };
});

codeListStoreSuite('sqlite', () => {
  const { codeLists: lists, database, ...stores } = setUp();
  const add = createScanCounters(database.$client);
  const addScans = async (qrId: number, scans: number, lastMs: number) =>
    add([hitKey(qrId, 'scan'), lastMs, scans]);
  return { ...stores, lists, addScans };
});

bulkEditStoreSuite('sqlite', () => {
  const { bulkEdits: store, qrs, newOwner, queued } = setUp();
  return { store, qrs, newOwner, queued };
});
