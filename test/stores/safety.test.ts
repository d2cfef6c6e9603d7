import { createStores } from '../../src/sqlite/stores.ts';
import { createFolders } from './folder.ts';
import { safetyStoresSuite } from './safety.suite.ts';

const { newFolder, openIn } = createFolders();

safetyStoresSuite('sqlite', async () =>
  createStores(openIn(newFolder()), {
    links: { forget: () => {} },
    scanLog: { pending: () => [] },
  }),
);
