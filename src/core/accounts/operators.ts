import type { AccountStore, Clock } from '../ports.ts';
import { type Account, parseEmail, parsePlanEnd } from './account.ts';

/** What the whole server holds. */
export interface Totals {
  readonly accounts: number;
  readonly qrs: number;
  readonly scans: number;
}

/** Adds everything up, in pieces that never hold up a redirect. */
export interface TotalsReader {
  counts(): Promise<Omit<Totals, 'scans'>>;
  /** Looks at every code's counter: a second of pieces where there are millions. */
  scans(): Promise<number>;
}

/** An account as the operator's list shows it. */
export type ListedAccount = Account & { readonly qrs: number };

/** Where operators look accounts up, however many there are. */
export interface AccountDirectory {
  find(id: number): Promise<ListedAccount | null>;
  /** The oldest whose e-mail contains a text in lower case, and how many there are in all. */
  search(
    text: string,
    limit: number,
  ): Promise<{ readonly accounts: readonly ListedAccount[]; readonly total: number }>;
}

/** What an operator asked for: done, or what was wrong with which part of it. */
export type Managed =
  | { readonly account: Account }
  | { readonly problem: string; readonly field: 'email' | 'planEnd' };

export type Operators = ReturnType<typeof createOperators>;

const scansLifeMs = 60_000;

/** What operators do beyond their own codes. */
export function createOperators(world: {
  accounts: Pick<AccountStore, 'create' | 'changePlan'>;
  directory: AccountDirectory;
  totals: TotalsReader;
  clock: Clock;
}) {
  const { accounts, directory, totals, clock } = world;
  let added: { scans: number; atMs: number } | null = null;

  return {
    /** The accounts whose e-mail contains a text, in whatever case; all for an empty one. */
    search: (text: string, limit: number) => directory.search(text.toLowerCase(), limit),

    /** Null when there is no such account. */
    find: directory.find,

    /** @param planEnd as a person wrote it, see `parsePlanEnd` */
    create: async (input: {
      email: string;
      planEnd: string;
      operator: boolean;
    }): Promise<Managed> => {
      const email = parseEmail(input.email);
      if (email === null) return { problem: 'This is not an e-mail address.', field: 'email' };
      const planUntilMs = parsePlanEnd(input.planEnd);
      if (planUntilMs === undefined) return { problem: noDate, field: 'planEnd' };
      const { operator } = input;
      const account = await accounts.create({
        email,
        operator,
        planUntilMs,
        passwordHash: null,
        atMs: clock.nowMs(),
      });
      return account === 'taken'
        ? { problem: `There is already an account ${email}.`, field: 'email' }
        : { account };
    },

    /** Sets when an account's plan ends. Null when that worked, else what was wrong. */
    changePlan: async (id: number, planEnd: string): Promise<string | null> => {
      const planUntilMs = parsePlanEnd(planEnd);
      if (planUntilMs === undefined) return noDate;
      await accounts.changePlan(id, planUntilMs);
      return null;
    },

    /** The server's totals; the scans may be a minute old. */
    totals: async (): Promise<Totals> => {
      const nowMs = clock.monotonicMs();
      if (added === null || nowMs - added.atMs > scansLifeMs)
        added = { scans: await totals.scans(), atMs: nowMs };
      return { ...(await totals.counts()), scans: added.scans };
    },
  };
}

const noDate = 'Write the day as 2027-01-31, or "never".';
