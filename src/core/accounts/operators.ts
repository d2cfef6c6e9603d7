import { InvalidInput } from '../errors.ts';
import type { Clock } from '../ports.ts';
import type { Account } from './account.ts';
import type { AccountStore } from './ports.ts';

export type Operators = ReturnType<typeof createOperators>;

/** Manages accounts for operators. */
export function createOperators({ accounts, clock }: { accounts: AccountStore; clock: Clock }) {
  return {
    /** Finds accounts whose e-mail contains a text, ignoring case; all for an empty text. */
    search: (text: string, limit: number) => accounts.search(text.toLowerCase(), limit),

    /** Returns an account, or null. */
    find: accounts.find,

    /** Creates an account. @throws InvalidInput when there is one with this e-mail */
    create: async (input: {
      email: string;
      planUntilMs: number | null;
      isOperator: boolean;
    }): Promise<Account> => {
      const atMs = clock.nowMs();
      const account = await accounts.create({ ...input, passwordHash: null, atMs });
      if (account === 'taken')
        throw new InvalidInput(`There is already an account ${input.email}.`);
      return account;
    },

    /** Sets the expiry of a plan. */
    changePlan: accounts.changePlan,

    /** Returns the totals of the whole server. */
    totals: accounts.totals,
  };
}
