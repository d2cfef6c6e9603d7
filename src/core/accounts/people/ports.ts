import type { EnteredAccount } from '../ports.ts';

/** Stores who may enter which account. */
export interface PeopleStore {
  /** Returns the accounts that a person may enter beside the own one, in the order of joining. */
  accountsOf(personId: number): Promise<readonly EnteredAccount[]>;
}
