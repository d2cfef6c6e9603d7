import { and, eq, isNotNull, ne, not, type SQL } from 'drizzle-orm';
import { ownerlessEmail } from '../../core/accounts/account.ts';
import type { AccountStore, CodesOfDeleted } from '../../core/accounts/ports.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { toStoredDesign } from '../../core/designs/stored-design.ts';
import { createActivityLog } from '../activity/log.ts';
import { removeBatches } from '../batches/batches.ts';
import { removeBulkEdits } from '../batches/bulk-edits.ts';
import { timeZoneLock } from '../codes/schedule.ts';
import {
  type Builder,
  type Dialect,
  hasRow,
  type Operation,
  pick,
  rowOf,
  rowsOf,
} from '../dialect.ts';
import { requireRight } from '../rights.ts';
import { operatorsLock } from './accounts.ts';
import { codesPerPart, createCodeMoves, rowsPerPart } from './code-moves.ts';

/** Batches that it deletes at most, each with fewer rows than that. */
const batchesPerPart = 20;
/**
 * Returns the erased form of a design without an owner.
 * One that was deleted would be looked for in all codes of the server.
 */
const erasedFor = (nobody: number) => ({
  ...toStoredDesign(plainDesign),
  pngHash: null,
  accountId: nobody,
});
/** Creates the transaction that deletes an account, or does a part of its codes. */
export function createAccountRemoval(dialect: Dialect): AccountStore['remove'] {
  const { tables, changeRedirects, lock, locked, isOneOf } = dialect;
  const { accounts, designs, qrs } = tables;
  const log = createActivityLog(dialect);
  const { findNobody, removeSome, forget, moveCodes, count } = createCodeMoves(dialect);

  /**
   * Deletes some of an account's planned changes, batches and bulk edits.
   * Running rows are waited for, and the next find nothing to do. Returns whether there may be more.
   */
  function* removeWork(
    db: Builder,
    accountId: number,
    { kind }: CodesOfDeleted,
  ): Operation<boolean> {
    const { batches, batchRows, bulkEdits, bulkEditChanges, scheduledChanges } = tables;
    const isScheduled = eq(scheduledChanges.accountId, accountId);
    // They go along with codes that are given to another account.
    const endsScheduled = kind !== 'give';
    if (
      endsScheduled &&
      (yield* removeSome(db, scheduledChanges, scheduledChanges.id, isScheduled))
    )
      return true;
    const isOwn = eq(batches.accountId, accountId);
    const some = db.select(pick(batches, 'id')).from(batches).where(isOwn).limit(batchesPerPart);
    const found = yield* rowsOf(some);
    for (const { id } of found) {
      const isRow = eq(batchRows.batchId, id);
      if (yield* removeSome(db, batchRows, batchRows.row, isRow)) return true;
      yield* removeBatches(dialect, db, eq(batches.id, id));
    }
    const isEdit = eq(bulkEdits.accountId, accountId);
    // Before its codes, as what makes it does.
    const edit = yield* rowOf(
      locked(db.select(pick(bulkEdits, 'id')).from(bulkEdits).where(isEdit)),
    );
    if (edit !== null) {
      const isChange = eq(bulkEditChanges.bulkEditId, edit.id);
      if (yield* removeSome(db, bulkEditChanges, bulkEditChanges.qrId, isChange)) return true;
      yield* removeBulkEdits(dialect, db, isEdit);
    }
    return found.length === batchesPerPart;
  }

  /** Deletes some of what only the account uses. Returns whether there may be more. */
  function* removeOwn(db: Builder, accountId: number, nobody: number): Operation<boolean> {
    const { activity, columnChoices, folderDomains, savedDesigns } = tables;
    const { sessions, trustedBrowsers } = tables;
    for (const [table, key] of [
      [activity, activity.id],
      [columnChoices, columnChoices.headers],
      [folderDomains, folderDomains.folder],
      [savedDesigns, savedDesigns.id],
      [sessions, sessions.hash],
      [trustedBrowsers, trustedBrowsers.hash],
    ] as const)
      if (yield* removeSome(db, table, key, eq(table.accountId, accountId))) return true;
    const isAccount = eq(accounts.id, accountId);
    const ofAccount = db.select({ id: accounts.defaultDesignId }).from(accounts).where(isAccount);
    const ofCodes = db.select({ id: qrs.designId }).from(qrs);
    const isOfCode = and(eq(qrs.accountId, accountId), isNotNull(qrs.designId));
    const isUnused = and(
      eq(designs.accountId, accountId),
      not(isOneOf(designs.id, ofAccount)),
      not(isOneOf(designs.id, ofCodes.where(isOfCode))),
    );
    const some = db.select(pick(designs, 'id')).from(designs).where(isUnused).limit(rowsPerPart);
    const isErased = isOneOf(designs.id, some);
    const update = db.update(designs).set(erasedFor(nobody)).where(isErased);
    return (yield* rowsOf(update.returning({ id: designs.id }))).length === rowsPerPart;
  }

  return (id, codes, atMs, by) =>
    changeRedirects(function* (db) {
      const nothing = <Result>(result: Result) => ({ codes: [], result });
      // Of two operators that delete each other, one stays.
      yield* lock(db, operatorsLock);
      // Only operators know who else has an account.
      const acting = { accountId: id, by };
      yield* codes.kind === 'give'
        ? requireRight(dialect, db, acting, 'operator')
        : requireRight(dialect, db, acting, 'owner', 'operator');
      // Before the rows of accounts, as a change of the zone does.
      if (codes.kind === 'give') yield* lock(db, timeZoneLock(codes.to));
      const isAccount = eq(accounts.id, id);
      const isReal = ne(accounts.email, ownerlessEmail);
      const found = db.select(pick(accounts, 'email', 'isOperator')).from(accounts);
      const account = yield* rowOf(found.where(and(isAccount, isReal)));
      if (account === null) return nothing('missing' as const);
      const hasOther = (condition: SQL) => {
        const isOther = and(ne(accounts.id, id), isReal, condition);
        return hasRow(db.select(pick(accounts, 'id')).from(accounts).where(isOther).limit(1));
      };
      if (account.isOperator && !(yield* hasOther(eq(accounts.isOperator, true))))
        return nothing('last operator' as const);
      const nobody = yield* findNobody(db, atMs);
      const to = codes.kind === 'give' ? codes.to : nobody;
      if (codes.kind === 'give' && !(yield* hasOther(eq(accounts.id, to))))
        return nothing('no recipient' as const);

      if (yield* removeWork(db, id, codes)) return nothing('more' as const);
      const own = db.select(pick(qrs, 'id')).from(qrs).where(eq(qrs.accountId, id));
      const some = (yield* rowsOf(own.limit(codesPerPart + 1))).map((qr) => qr.id);
      const part = some.slice(0, codesPerPart);
      if (yield* forget(db, part, codes.kind)) return nothing('more' as const);
      if (some.length > codesPerPart) {
        yield* count(db, id, -codesPerPart);
        yield* count(db, to, codesPerPart);
        return { codes: yield* moveCodes(db, part, to, codes), result: 'more' as const };
      }
      if (yield* removeOwn(db, id, nobody)) return nothing('more' as const);

      // On PostgreSQL, the change of a unique column waits for everything that is being added to the account, and
      // lets nothing be added until it is gone.
      const renamed = { email: `deleted ${id}` };
      yield db.update(accounts).set(renamed).where(isAccount);
      // Other accounts name the person where they invited it.
      yield* log.renamePerson(db, account.email, null);
      yield db.delete(tables.invitations).where(eq(tables.invitations.email, account.email));
      while (yield* removeWork(db, id, codes));

      // What was added to the account until now is counted.
      const counted = db.select(pick(accounts, 'qrCount')).from(accounts).where(isAccount);
      yield* count(db, to, (yield* rowOf(counted))?.qrCount ?? 0);
      const rest = db.select(pick(qrs, 'id')).from(qrs).where(eq(qrs.accountId, id));
      const stoppedCodes = yield* moveCodes(db, rest, to, codes);
      yield db.update(designs).set(erasedFor(nobody)).where(eq(designs.accountId, id));
      const { activity, savedDesigns, pictures, apiKeys } = tables;
      const { sessions, trustedBrowsers, signInLinks } = tables;
      const owned = [activity, savedDesigns, pictures, tables.scheduledChanges];
      const access = [apiKeys, sessions, trustedBrowsers, signInLinks];
      for (const table of [...owned, ...access])
        yield db.delete(table).where(eq(table.accountId, id));
      yield db.delete(accounts).where(isAccount);
      if (codes.kind === 'give')
        yield* log.record(db, { accountId: to, by: codes.by }, { kind: 'codes-received' }, atMs);
      return { codes: stoppedCodes, result: 'removed' as const };
    });
}
