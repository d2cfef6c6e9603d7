import { and, desc, eq } from 'drizzle-orm';
import { maxColumnChoices } from '../../core/batches/batch.ts';
import { columnRoles } from '../../core/batches/columns.ts';
import type { ColumnChoiceStore } from '../../core/batches/ports.ts';
import { type Dialect, firstOf, pick } from '../dialect.ts';

// Those that a new one replaces. Two people may add one at the same time.
const removedPerKeep = 2;

/** Creates the store of what the columns of tables are. */
export function createColumnChoiceStore(dialect: Dialect): ColumnChoiceStore {
  const { tables, all, transaction, lockedOrSkipped, isOneOf } = dialect;
  const { columnChoices } = tables;
  return {
    find: async (accountId, headers) => {
      const isThis = and(
        eq(columnChoices.accountId, accountId),
        eq(columnChoices.headers, headers),
      );
      const found = await firstOf(
        all((db) => db.select(pick(columnChoices, 'roles')).from(columnChoices).where(isThis)),
      );
      if (found === null) return null;
      // A later version may know more roles.
      return found.roles
        .split(',')
        .map((name) => columnRoles.find((role) => role === name) ?? 'ignore');
    },
    keep: (accountId, headers, roles, chosenAtMs) =>
      transaction(function* (db) {
        const choice = { roles: roles.join(), chosenAtMs };
        yield db
          .insert(columnChoices)
          .values({ accountId, headers, ...choice })
          .onConflictDoUpdate({
            target: [columnChoices.accountId, columnChoices.headers],
            set: choice,
          });
        const isOwn = eq(columnChoices.accountId, accountId);
        const oldest = lockedOrSkipped(
          db
            .select(pick(columnChoices, 'headers'))
            .from(columnChoices)
            .where(isOwn)
            .orderBy(desc(columnChoices.chosenAtMs), columnChoices.headers)
            .offset(maxColumnChoices)
            .limit(removedPerKeep),
        );
        yield db.delete(columnChoices).where(and(isOwn, isOneOf(columnChoices.headers, oldest)));
      }),
  };
}
