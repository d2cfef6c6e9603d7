import { hitKey } from '../../src/core/scans/hit-entries.ts';
import { createScanCounters } from '../../src/sqlite/scans/counters.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { overviewStoreSuite } from './overview.suite.ts';

const { newFolder, openIn } = createFolders();

overviewStoreSuite('sqlite', () => {
  const database = openIn(newFolder());
  const addToCounters = createScanCounters(database.$client);
  let owners = 0;
  return {
    qrs: storesOn(database).qrs,
    overview: storesOn(database).overview,
    newOwner: () => addAccount(database, `${owners++}@example.com`),
    addScans: async (qrId, timesMs) => {
      for (const atMs of timesMs) addToCounters([hitKey(qrId, 'scan'), atMs, 1]);
    },
  };
});
