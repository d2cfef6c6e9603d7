import type { PeopleStore } from './ports.ts';

export type People = ReturnType<typeof createPeople>;

/** Manages who may enter an account beside its owner. */
export function createPeople({ store }: { store: PeopleStore }) {
  return {
    /** Returns the accounts that a person may enter beside the own one. */
    accountsOf: store.accountsOf,
  };
}
