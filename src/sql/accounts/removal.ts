import { and, eq, isNotNull, ne, type SQLWrapper, sql } from 'drizzle-orm';
import { ownerlessEmail } from '../../core/accounts/account.ts';
import type { AccountStore, CodesOfDeleted } from '../../core/accounts/ports.ts';
import { mapLabels } from '../../core/codes/fields.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { toStoredDesign } from '../../core/designs/stored-design.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf, run } from '../dialect.ts';
import { insertAccount } from './accounts.ts';

/**
 * Codes of a transaction. What else waits for the event loop, or on SQLite to write, waits some 20 milliseconds. On
 * PostgreSQL, no more can be named in a step of `redirect_steps`.
 */
const codesPerPart = 100;

/** Creates the transaction that deletes an account, or does a part of its codes. */
export function createAccountRemoval(dialect: Dialect): AccountStore['remove'] {
  const { tables, changeRedirects, lock, locked, isOneOf } = dialect;
  const { accounts, designs, qrs, batches, batchRows, bulkEdits, bulkEditChanges } = tables;

  /** Returns the account that owns the codes of deleted accounts. Creates it for the first. */
  function* findNobody(db: Builder, atMs: number): Operation<number> {
    const nobody = { email: ownerlessEmail, createdAtMs: atMs };
    const isNobody = eq(accounts.email, ownerlessEmail);
    const found =
      (yield* rowOf(db.select({ id: accounts.id }).from(accounts).where(isNobody))) ??
      (yield* insertAccount(tables, db, nobody));
    if (found === null) throw new Error('the account without an owner cannot be created');
    return found.id;
  }

  /** Deletes an account's batches and bulk edits. Running rows are waited for, and the next find nothing to do. */
  function* removeWork(db: Builder, accountId: number): Operation<void> {
    const own = db.select({ id: batches.id }).from(batches).where(eq(batches.accountId, accountId));
    yield* run(db.delete(batchRows).where(isOneOf(batchRows.batchId, own)));
    yield* run(db.delete(batches).where(eq(batches.accountId, accountId)));
    const edits = db.select({ id: bulkEdits.id }).from(bulkEdits);
    const ownEdits = yield* rowsOf(locked(edits.where(eq(bulkEdits.accountId, accountId))));
    const editIds = ownEdits.map((edit) => edit.id);
    yield* run(db.delete(bulkEditChanges).where(isOneOf(bulkEditChanges.bulkEditId, editIds)));
    yield* run(db.delete(bulkEdits).where(isOneOf(bulkEdits.id, editIds)));
  }

  /**
   * Gives codes of an account, and the designs that they have, to another one; without their names where that is
   * nobody. Returns those that stop.
   */
  function* moveCodes(
    db: Builder,
    ids: readonly number[] | SQLWrapper,
    to: number,
    { kind }: CodesOfDeleted,
  ): Operation<string[]> {
    if (kind !== 'give')
      yield* run(
        db.delete(tables.formerDestinations).where(isOneOf(tables.formerDestinations.qrId, ids)),
      );
    if (kind === 'stop')
      for (const table of [tables.flags, tables.recheckQueue])
        yield* run(db.delete(table).where(isOneOf(table.qrId, ids)));
    const { scanCounters } = tables;
    const counted = isOneOf(scanCounters.qrId, ids);
    yield* run(db.update(scanCounters).set({ accountId: to }).where(counted));
    const moved = isOneOf(qrs.id, ids);
    const noLabels = { ...mapLabels(() => null), nameKey: nameSortKey(null) };
    const unnamed = kind === 'give' ? {} : noLabels;
    if (kind !== 'stop') {
      const used = db
        .select({ id: sql<number>`${qrs.designId}` })
        .from(qrs)
        .where(and(moved, isNotNull(qrs.designId)))
        .groupBy(qrs.designId);
      yield* run(db.update(designs).set({ accountId: to }).where(isOneOf(designs.id, used)));
      yield* run(
        db
          .update(qrs)
          .set({ accountId: to, ...unnamed })
          .where(moved),
      );
      return [];
    }
    const nowhere = {
      status: 'stopped',
      statusBeforeBlock: null,
      blockReason: null,
      destination: '',
    } as const;
    const noImage = { designId: null, imageHash: null, logoPlacement: null };
    const stopped = { accountId: to, ...unnamed, ...nowhere, ...noImage };
    const codes = yield* rowsOf(
      db.update(qrs).set(stopped).where(moved).returning({ code: qrs.code }),
    );
    return codes.map(({ code }) => code);
  }

  /** Changes the number of codes of an account. */
  function* count(db: Builder, id: number, change: number): Operation<void> {
    const qrCount = sql`${accounts.qrCount} + ${change}`;
    yield* run(db.update(accounts).set({ qrCount }).where(eq(accounts.id, id)));
  }

  return (id, codes, atMs) =>
    changeRedirects(function* (db) {
      const nothing = <Result>(result: Result) => ({ codes: [], result });
      // Of two operators that delete each other, one stays.
      yield* lock(db, 'account removal');
      const isAccount = eq(accounts.id, id);
      const account = yield* rowOf(
        db
          .select({ isOperator: accounts.isOperator })
          .from(accounts)
          .where(and(isAccount, ne(accounts.email, ownerlessEmail))),
      );
      if (account === null) return nothing('missing' as const);
      const isOther = and(ne(accounts.id, id), ne(accounts.email, ownerlessEmail));
      const others = db.select({ id: accounts.id }).from(accounts);
      if (
        account.isOperator &&
        (yield* rowOf(others.where(and(isOther, eq(accounts.isOperator, true))).limit(1))) === null
      )
        return nothing('last operator' as const);
      const nobody = yield* findNobody(db, atMs);
      const to = codes.kind === 'give' ? codes.to : nobody;
      const recipients = db.select({ id: accounts.id }).from(accounts);
      if (
        codes.kind === 'give' &&
        (yield* rowOf(recipients.where(and(isOther, eq(accounts.id, to))))) === null
      )
        return nothing('no recipient' as const);

      yield* removeWork(db, id);
      const own = db.select({ id: qrs.id }).from(qrs).where(eq(qrs.accountId, id));
      const some = yield* rowsOf(own.limit(codesPerPart + 1));
      if (some.length > codesPerPart) {
        const part = some.slice(0, codesPerPart).map((qr) => qr.id);
        yield* count(db, id, -codesPerPart);
        yield* count(db, to, codesPerPart);
        return { codes: yield* moveCodes(db, part, to, codes), result: 'more' as const };
      }

      // On PostgreSQL, the change of a unique column waits for everything that is being added to the account, and
      // lets nothing be added until it is gone.
      yield* run(
        db
          .update(accounts)
          .set({ email: `deleted ${id}` })
          .where(isAccount),
      );
      yield* removeWork(db, id);

      // What was added to the account until now is counted.
      const counted = db.select({ codes: accounts.qrCount }).from(accounts).where(isAccount);
      yield* count(db, to, (yield* rowOf(counted))?.codes ?? 0);
      const all = db.select({ id: qrs.id }).from(qrs).where(eq(qrs.accountId, id));
      const stopped = yield* moveCodes(db, all, to, codes);
      // A design that was deleted would be looked for in all codes of the server.
      const erased = { ...toStoredDesign(plainDesign), pngHash: null, accountId: nobody };
      yield* run(db.update(designs).set(erased).where(eq(designs.accountId, id)));
      yield* run(db.delete(tables.savedDesigns).where(eq(tables.savedDesigns.accountId, id)));
      for (const table of [
        tables.apiKeys,
        tables.sessions,
        tables.trustedBrowsers,
        tables.signInLinks,
      ])
        yield* run(db.delete(table).where(eq(table.accountId, id)));
      yield* run(db.delete(accounts).where(isAccount));
      return { codes: stopped, result: 'removed' as const };
    });
}
