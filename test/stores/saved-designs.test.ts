import { createDesignStore } from '../../src/sqlite/designs/designs.ts';
import { createSavedDesignStore } from '../../src/sqlite/designs/saved-designs.ts';
import { addAccount, createFolders } from './folder.ts';
import { savedDesignsSuite } from './saved-designs.suite.ts';

const { newFolder, openIn } = createFolders();

savedDesignsSuite('sqlite', () => {
  const store = openIn(newFolder());
  let accounts = 0;
  return {
    saved: createSavedDesignStore(store),
    designs: createDesignStore(store),
    newAccount: async () => (await addAccount(store, `${accounts++}@example.com`)).accountId,
  };
});
