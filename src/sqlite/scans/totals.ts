import type { TotalsReader } from '../../core/accounts/operators.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Store } from '../database/open.ts';

// A piece of this many counters takes a millisecond or two, which no redirect notices.
const pieceRows = 10_000;

/** Adds up what the server holds, giving way to other work between the pieces. */
export function createTotalsReader(store: Store): TotalsReader {
  const database = store.$client;
  const counts = database.query<{ accounts: number; qrs: number }, []>(
    'SELECT count(*) AS accounts, coalesce(sum(qr_count), 0) AS qrs FROM accounts',
  );
  const piece = database.query<{ rows: number; scans: number; last: number }, [number]>(
    'SELECT count(*) AS rows, coalesce(sum(scans), 0) AS scans, max(qr_id) AS last FROM ' +
      `(SELECT qr_id, scans FROM scan_counters WHERE qr_id > ? ORDER BY qr_id LIMIT ${pieceRows})`,
  );
  return {
    counts: async () => counts.get() ?? { accounts: 0, qrs: 0 },
    scans: async () => {
      let scans = 0;
      for (let after = 0; ; ) {
        const sum = piece.get(after);
        if (sum === null || sum.rows === 0) break;
        scans += sum.scans;
        after = sum.last;
        if (sum.rows < pieceRows) break;
        await yieldToEventLoop();
      }
      return scans;
    },
  };
}
