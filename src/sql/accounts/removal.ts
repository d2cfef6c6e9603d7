import { and, eq, isNotNull, ne, sql } from 'drizzle-orm';
import { ownerlessEmail } from '../../core/accounts/account.ts';
import type { AccountStore, CodesOfDeleted } from '../../core/accounts/ports.ts';
import { mapLabels } from '../../core/codes/fields.ts';
import { nameSortKey } from '../../core/codes/lists/sort-key.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { toStoredDesign } from '../../core/designs/stored-design.ts';
import { type Builder, type Dialect, type Operation, rowOf, rowsOf, run } from '../dialect.ts';
import { insertAccount } from './accounts.ts';

/** Creates the transaction that deletes an account. */
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

  /** Deletes an account's batches. Their running rows are waited for, and the next ones find nothing to do. */
  function* removeBatches(db: Builder, accountId: number): Operation<void> {
    const own = db.select({ id: batches.id }).from(batches).where(eq(batches.accountId, accountId));
    yield* run(db.delete(batchRows).where(isOneOf(batchRows.batchId, own)));
    yield* run(db.delete(batches).where(eq(batches.accountId, accountId)));
  }

  /** Gives the codes to another account, without their names where that is nobody. Returns those that stop. */
  function* moveCodes(
    db: Builder,
    from: number,
    to: number,
    { kind }: CodesOfDeleted,
  ): Operation<string[]> {
    const own = eq(qrs.accountId, from);
    const ids = db.select({ id: qrs.id }).from(qrs).where(own);
    if (kind !== 'give')
      for (const table of [tables.formerDestinations, tables.idempotencyKeys])
        yield* run(db.delete(table).where(isOneOf(table.qrId, ids)));
    if (kind === 'stop')
      for (const table of [tables.flags, tables.recheckQueue])
        yield* run(db.delete(table).where(isOneOf(table.qrId, ids)));
    const counters = eq(tables.scanCounters.accountId, from);
    yield* run(db.update(tables.scanCounters).set({ accountId: to }).where(counters));
    const noLabels = { ...mapLabels(() => null), nameKey: nameSortKey(null) };
    const unnamed = kind === 'give' ? {} : noLabels;
    if (kind !== 'stop') {
      yield* run(
        db
          .update(qrs)
          .set({ accountId: to, ...unnamed })
          .where(own),
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
      db.update(qrs).set(stopped).where(own).returning({ code: qrs.code }),
    );
    return codes.map(({ code }) => code);
  }

  /**
   * Moves the designs that codes have to the account of the codes, and erases the others. A deleted design would be
   * looked for in all codes of the server.
   */
  function* moveDesigns(db: Builder, from: number, to: number, nobody: number): Operation<void> {
    const used = db
      .select({ id: sql<number>`${qrs.designId}` })
      .from(qrs)
      .where(and(eq(qrs.accountId, to), isNotNull(qrs.designId)))
      .groupBy(qrs.designId);
    const own = eq(designs.accountId, from);
    yield* run(
      db
        .update(designs)
        .set({ accountId: to })
        .where(and(own, isOneOf(designs.id, used))),
    );
    const erased = { ...toStoredDesign(plainDesign), pngHash: null, accountId: nobody };
    yield* run(db.update(designs).set(erased).where(own));
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

      yield* removeBatches(db, id);
      // On PostgreSQL, the change of a unique column waits for everything that is being added to the account, and
      // lets nothing be added until it is gone.
      yield* run(
        db
          .update(accounts)
          .set({ email: `deleted ${id}` })
          .where(isAccount),
      );
      yield* removeBatches(db, id);
      const edits = db.select({ id: bulkEdits.id }).from(bulkEdits);
      const ownEdits = yield* rowsOf(locked(edits.where(eq(bulkEdits.accountId, id))));
      const editIds = ownEdits.map((edit) => edit.id);
      yield* run(db.delete(bulkEditChanges).where(isOneOf(bulkEditChanges.bulkEditId, editIds)));
      yield* run(db.delete(bulkEdits).where(isOneOf(bulkEdits.id, editIds)));

      // What was added to the account until now is counted.
      const counted = db.select({ codes: accounts.qrCount }).from(accounts).where(isAccount);
      const moved = (yield* rowOf(counted))?.codes ?? 0;
      const stopped = yield* moveCodes(db, id, to, codes);
      const qrCount = sql`${accounts.qrCount} + ${moved}`;
      yield* run(db.update(accounts).set({ qrCount }).where(eq(accounts.id, to)));
      yield* run(db.delete(tables.savedDesigns).where(eq(tables.savedDesigns.accountId, id)));
      yield* moveDesigns(db, id, to, nobody);
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
