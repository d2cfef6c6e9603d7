import { asc, eq, sql } from 'drizzle-orm';
import type { PeopleStore } from '../../core/accounts/people/ports.ts';
import type { Dialect } from '../dialect.ts';
import { accountColumns } from './accounts.ts';

/** Creates the store of people who may enter accounts. */
export function createPeopleStore({ tables, prepare }: Dialect): PeopleStore {
  const { accounts, members } = tables;
  const byMember = prepare((db) =>
    db
      .select({ ...accountColumns(tables), role: members.role })
      .from(members)
      .innerJoin(accounts, eq(accounts.id, members.accountId))
      .where(eq(members.memberId, sql.placeholder('memberId')))
      .orderBy(asc(members.sinceMs), asc(members.accountId)),
  );

  return {
    accountsOf: async (memberId) => {
      const rows = await byMember.all({ memberId });
      return rows.map(({ role, ...account }) => ({ account, role }));
    },
  };
}
