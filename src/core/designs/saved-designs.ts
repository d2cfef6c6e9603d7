import { Refused } from '../errors.ts';
import { parseName } from '../labels.ts';
import type { Acting, Clock } from '../ports.ts';
import type { Design } from './design.ts';
import type { DesignStore, SavedDesign, SavedDesignStore } from './ports.ts';

export type SavedDesigns = ReturnType<typeof createSavedDesigns>;

/**
 * Manages the designs that accounts saved under a name.
 * Codes keep a design when its name is changed or removed.
 */
export function createSavedDesigns(deps: {
  store: SavedDesignStore;
  designs: Pick<DesignStore, 'find' | 'setDefault'>;
  clock: Clock;
}) {
  const { store, designs, clock } = deps;

  /** @throws Refused when there is no such name */
  const find = async (accountId: number, name: string): Promise<SavedDesign> => {
    const saved = await store.find(accountId, name.trim());
    if (saved === null) throw new Refused({ kind: 'no such saved design', name: name.trim() });
    return saved;
  };

  return {
    /** Returns the saved designs in the order of their names. */
    list: (accountId: number): Promise<SavedDesign[]> => store.list(accountId),
    find,
    /** Returns the design that a name stands for. @throws Refused when there is no such name */
    designOf: async (accountId: number, name: string): Promise<Design> =>
      designs.find((await find(accountId, name)).designId),
    /**
     * Saves a design under a name, in place of an earlier one of that name. The default design stays.
     *
     * @throws Refused when the name is empty or not valid, see `parseName`
     */
    save: async (acting: Acting, text: string, design: Design): Promise<void> => {
      await store.save(acting, parseDesignName(text), design, clock.nowMs());
    },
    /**
     * Changes the name of a saved design.
     *
     * @throws Refused when there is no such name, or the new one is taken or not valid
     */
    rename: async (acting: Acting, from: string, text: string): Promise<void> => {
      const { name } = await find(acting.accountId, from);
      const newName = parseDesignName(text);
      if (newName === name) return;
      if ((await store.rename(acting, name, newName, clock.nowMs())) === 'taken')
        throw new Refused({ kind: 'saved design exists', name: newName });
    },
    /** Makes a saved design the account's default. @throws Refused when there is no such name */
    makeDefault: async (acting: Acting, name: string): Promise<void> => {
      const { designId } = await find(acting.accountId, name);
      await designs.setDefault(acting, designId, clock.nowMs());
    },
    /** Forgets a name. @throws Refused when there is no such name */
    remove: async (acting: Acting, name: string): Promise<void> => {
      const saved = await find(acting.accountId, name);
      await store.remove(acting, saved.name, clock.nowMs());
    },
  };
}

function parseDesignName(text: string): string {
  const name = parseName(text);
  if (name === null) throw new Refused({ kind: 'saved design without a name' });
  return name;
}
