import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { NewQr, Qr } from '../../core/codes/qr.ts';
import type { QrStore } from '../../core/ports.ts';
import { hitKinds, type UncountedKind } from '../../core/scans/hit.ts';
import type { Store } from '../database/open.ts';
import { flags, recheckQueue } from '../database/safety-schema.ts';
import {
  accounts,
  formerDestinations,
  qrs,
  retries,
  shortBases,
  uncountedHits,
} from '../database/schema.ts';
import { write } from '../database/write.ts';
import { fitColumn } from '../designs/logo-fit.ts';
import { createHourlyScans } from '../scans/counters.ts';
import type { SqliteScanLog } from '../scans/log.ts';
import type { SqliteLinkStore } from './link-targets.ts';
import { createQrList } from './list.ts';
import { type QrRow, qrsById, selectQr, toQr } from './row.ts';

const retryWindowMs = 24 * 3_600_000;
// Each create adds one, so that they never pile up. All of a busy day at once would take 0.3 s.
const mostForgotten = 100;

/**
 * QRs in SQLite.
 *
 * @param links told when a QR changes, so that its short link follows at the next scan
 * @param scanLog adds what is committed and not yet folded into the counters
 */
export function createQrStore(
  store: Store,
  links: Pick<SqliteLinkStore, 'forget'>,
  scanLog: Pick<SqliteScanLog, 'unfolded'>,
): QrStore {
  const owned = store.$client.query<QrRow, [string, number]>(
    `${qrsById} = (SELECT id FROM qrs WHERE code = ? AND account_id = ?)`,
  );
  const list = createQrList(store.$client, scanLog);
  const byRetry = selectQr(store)
    .innerJoin(retries, eq(retries.qrId, qrs.id))
    .where(
      and(
        eq(retries.digest, sql.placeholder('digest')),
        gt(retries.createdAt, sql.placeholder('since')),
      ),
    )
    .prepare();
  const hourlyScans = createHourlyScans(store.$client);

  const find = (accountId: number, code: string): Qr | null => {
    const row = owned.get(code, accountId);
    return row === null ? null : toQr(row, scanLog);
  };
  const findByRetry = (digest: Uint8Array, atMs: number): Qr | null => {
    const row = byRetry.get({ digest: Buffer.from(digest), since: atMs - retryWindowMs });
    return row === undefined ? null : toQr(row, scanLog);
  };

  return {
    insert: async (qr, retry, needsRecheck = false) => {
      const outcome = await write(() =>
        store.transaction(
          (transaction) => {
            const earlier = retry && findByRetry(retry.digest, retry.atMs);
            if (earlier) return { earlier };
            const stored = transaction
              .insert(qrs)
              .values(columnsOf(qr))
              .onConflictDoNothing({ target: qrs.code })
              .returning({ id: qrs.id })
              .all();
            const id = stored[0]?.id;
            if (id === undefined) return 'taken' as const;
            transaction
              .update(accounts)
              .set({ qrCount: sql`${accounts.qrCount} + 1` })
              .where(eq(accounts.id, qr.accountId))
              .run();
            const base = qr.shortLink.slice(0, qr.shortLink.lastIndexOf('/'));
            transaction.insert(shortBases).values({ base }).onConflictDoNothing().run();
            if (needsRecheck)
              transaction.insert(recheckQueue).values({ qrId: id, since: qr.createdAtMs }).run();
            if (retry !== null) {
              const old = transaction
                .select({ digest: retries.digest })
                .from(retries)
                .where(lte(retries.createdAt, retry.atMs - retryWindowMs))
                .limit(mostForgotten);
              transaction.delete(retries).where(inArray(retries.digest, old)).run();
              const row = { qrId: id, createdAt: retry.atMs };
              transaction
                .insert(retries)
                .values({ digest: Buffer.from(retry.digest), ...row })
                .onConflictDoUpdate({ target: retries.digest, set: row })
                .run();
            }
            return 'stored' as const;
          },
          { behavior: 'immediate' },
        ),
      );
      list.added(qr);
      return outcome;
    },
    findByIdempotencyKey: async (retry) => findByRetry(retry.digest, retry.atMs),
    find: async (accountId, code) => find(accountId, code),
    listPage: list.page,
    changeDestination: async (accountId, code, destination, atMs, needsRecheck = false) => {
      const changed = await write(() =>
        store.transaction(
          (transaction) => {
            const qr = find(accountId, code);
            if (qr === null) return null;
            if (qr.destination === destination) {
              const waiting = { qrId: qr.id, since: atMs };
              if (needsRecheck)
                transaction.insert(recheckQueue).values(waiting).onConflictDoNothing().run();
              return qr;
            }
            transaction
              .insert(formerDestinations)
              .values({ qrId: qr.id, destination: qr.destination, until: atMs })
              .run();
            transaction.update(qrs).set({ destination }).where(eq(qrs.id, qr.id)).run();
            // What was found out about the old destination says nothing of the new one.
            transaction.delete(flags).where(eq(flags.qrId, qr.id)).run();
            transaction.delete(recheckQueue).where(eq(recheckQueue.qrId, qr.id)).run();
            if (needsRecheck)
              transaction.insert(recheckQueue).values({ qrId: qr.id, since: atMs }).run();
            return { ...qr, destination, flag: null };
          },
          { behavior: 'immediate' },
        ),
      );
      links.forget(code);
      return changed;
    },
    changeStatus: async (accountId, code, from, to) => {
      const mine = and(eq(qrs.code, code), eq(qrs.accountId, accountId));
      await write(() =>
        store
          .update(qrs)
          .set({ status: to })
          .where(and(mine, eq(qrs.status, from)))
          .run(),
      );
      links.forget(code);
      return find(accountId, code);
    },
    formerDestinations: async (qrId, limit) =>
      store
        .select({ destination: formerDestinations.destination, untilMs: formerDestinations.until })
        .from(formerDestinations)
        .where(eq(formerDestinations.qrId, qrId))
        .orderBy(desc(formerDestinations.id))
        .limit(limit)
        .all(),
    hourlyScans: async (qrId, sinceMs) =>
      hourlyScans(qrId, sinceMs, scanLog.unfolded(qrId, 'scan')),
    uncountedHits: async (qrId) => {
      const rows = store.select().from(uncountedHits).where(eq(uncountedHits.qrId, qrId)).all();
      const hits: Record<UncountedKind, number> = { head: 0, prefetch: 0, preview: 0, crawler: 0 };
      for (const [index, kind] of hitKinds.entries()) {
        if (kind === 'scan') continue;
        const folded = rows.find((row) => row.kind === index)?.hits ?? 0;
        hits[kind] = scanLog
          .unfolded(qrId, kind)
          .reduce((sum, recent) => sum + recent.hits, folded);
      }
      return hits;
    },
  };
}

function columnsOf(qr: NewQr): typeof qrs.$inferInsert {
  const { createdAtMs, imageHash, logoPlacement, ...columns } = qr;
  return {
    ...columns,
    logoPlacement: fitColumn(logoPlacement),
    createdAt: createdAtMs,
    imageHash: Buffer.from(imageHash),
  };
}
