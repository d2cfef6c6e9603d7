import { createFolders, storesOn } from './folder.ts';
import { safetyStoresSuite } from './safety.suite.ts';

const { newFolder, openIn } = createFolders();

safetyStoresSuite('sqlite', async () => storesOn(openIn(newFolder())));
