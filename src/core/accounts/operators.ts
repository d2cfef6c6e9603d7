import type { AccountStore, Clock } from '../ports.ts';
import { type Account, parseEmail, parsePlanEnd } from './account.ts';

export type Operators = ReturnType<typeof createOperators>;

const invalidPlanEnd = 'This is not a date. Write it as 2027-01-31, or leave it empty.';

/** Manages accounts for operators. */
export function createOperators({ accounts, clock }: { accounts: AccountStore; clock: Clock }) {
  return {
    /** Finds accounts whose e-mail contains a text, ignoring case; all for an empty text. */
    search: (text: string, limit: number) => accounts.search(text.toLowerCase(), limit),

    /** Returns an account, or null. */
    find: accounts.find,

    /** Creates an account. `planEnd` is parsed by {@link parsePlanEnd}. Resolves it, or the problem. */
    create: async (input: {
      email: string;
      planEnd: string;
      isOperator: boolean;
    }): Promise<{ account: Account } | { problem: string }> => {
      const email = parseEmail(input.email);
      if (email === null) return { problem: 'This is not an e-mail address.' };
      const planUntilMs = parsePlanEnd(input.planEnd);
      if (planUntilMs === undefined) return { problem: invalidPlanEnd };
      const account = await accounts.create({
        email,
        isOperator: input.isOperator,
        planUntilMs,
        passwordHash: null,
        atMs: clock.nowMs(),
      });
      return account === 'taken'
        ? { problem: `There is already an account ${email}.` }
        : { account };
    },

    /** Sets the expiry of a plan. Resolves null, or the problem. */
    changePlan: async (id: number, planEnd: string): Promise<string | null> => {
      const planUntilMs = parsePlanEnd(planEnd);
      if (planUntilMs === undefined) return invalidPlanEnd;
      await accounts.changePlan(id, planUntilMs);
      return null;
    },

    /** Returns the totals of the whole server. */
    totals: accounts.totals,
  };
}
