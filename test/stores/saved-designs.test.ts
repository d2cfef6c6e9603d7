import { addAccount, createFolders, storesOn } from './folder.ts';
import { savedDesignsSuite } from './saved-designs.suite.ts';

const { newFolder, openIn } = createFolders();

savedDesignsSuite('sqlite', () => {
  const store = openIn(newFolder());
  const { designs, savedDesigns } = storesOn(store);
  let accounts = 0;
  return {
    saved: savedDesigns,
    designs,
    newAccount: async () => (await addAccount(store, `${accounts++}@example.com`)).accountId,
  };
});
