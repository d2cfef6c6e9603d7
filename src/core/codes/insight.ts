import { csvLine } from '../../lib/csv.ts';
import type { Clock, DesignStore, FormerDestination, QrStore } from '../ports.ts';
import type { UncountedKind } from '../scans/hit.ts';
import { type SeriesPoint, type Span, scanSeries, seriesStartMs } from '../scans/series.ts';
import { type PrintAdvice, printAdvice } from './print-size.ts';
import { isoTimestamp, type Qr } from './qr.ts';
import { symbolSideModules } from './symbol-size.ts';

/** Where a walk through an account's codes stands. */
export type QrCursor = Pick<Qr, 'createdAtMs' | 'code'>;

/** Every code of an account in turn, however many there are. */
export interface QrWalk {
  /** The codes that follow in the order of the list, newest first; null begins. */
  after(accountId: number, cursor: QrCursor | null, limit: number): Promise<Qr[]>;
}

/** What the panel tells of one code beyond its record. */
export interface QrInsight {
  /** The latest first. */
  readonly former: readonly FormerDestination[];
  /** Whether there were more before those. */
  readonly hasMoreFormer: boolean;
  readonly series: readonly SeriesPoint[];
  readonly uncounted: Readonly<Record<UncountedKind, number>>;
  readonly print: readonly PrintAdvice[];
}

export type QrInsights = ReturnType<typeof createQrInsights>;

// A millisecond of work, which no redirect notices.
const exportPiece = 200;
// A program may change a destination every second; a page shows what a person looks through.
const shownFormer = 50;

/** Reads what an account holder wants to know about codes. Changes nothing. */
export function createQrInsights(world: {
  store: Pick<QrStore, 'formerDestinations' | 'hourlyScans' | 'uncountedHits'>;
  walk: QrWalk;
  designs: Pick<DesignStore, 'find'>;
  clock: Clock;
  /** Does a piece of long work when its turn has come, and lets other work go first after it. */
  givingWay: <T>(work: () => Promise<T>) => Promise<T>;
}) {
  const { store, walk, designs, clock, givingWay } = world;

  // Worked out without a renderer: a page that says where a code leads must not wait for pictures.
  const printOf = async ({ shortLink, designId }: Qr): Promise<PrintAdvice[]> => {
    const { quietZoneModules } = await designs.find(designId);
    return printAdvice({ modules: symbolSideModules(shortLink), quietZoneModules });
  };

  const pieceOf = async (accountId: number, cursor: QrCursor | null): Promise<Piece> => {
    const qrs = await walk.after(accountId, cursor, exportPiece);
    const last = qrs.at(-1) ?? null;
    return { lines: qrs.map(csvOf).join(''), next: qrs.length < exportPiece ? null : last };
  };

  return {
    of: async (qr: Qr, span: Span): Promise<QrInsight> => {
      const nowMs = clock.nowMs();
      const [former, hours, uncounted, print] = await Promise.all([
        store.formerDestinations(qr.id, shownFormer + 1),
        store.hourlyScans(qr.id, seriesStartMs(span, nowMs)),
        store.uncountedHits(qr.id),
        printOf(qr),
      ]);
      return {
        former: former.slice(0, shownFormer),
        hasMoreFormer: former.length > shownFormer,
        series: scanSeries(span, nowMs, hours),
        uncounted,
        print,
      };
    },

    /**
     * All codes of an account as CSV (RFC 4180), a piece at a time, so that any number fits and no phone
     * waits for more than one of them.
     */
    csv: async function* (accountId: number): AsyncGenerator<string> {
      yield csvLine(['code', 'url', 'destination', 'status', 'scans', 'last_scan', 'created_at']);
      let place: QrCursor | null = null;
      do {
        const from: QrCursor | null = place;
        const piece: Piece = await givingWay(() => pieceOf(accountId, from));
        yield piece.lines;
        place = piece.next;
      } while (place !== null);
    },
  };
}

/** A piece of the export, and where to go on; null when there is nothing left. */
interface Piece {
  readonly lines: string;
  readonly next: QrCursor | null;
}

/** No cell begins as a formula: a destination begins with http, the others are words and numbers of ours. */
function csvOf(qr: Qr): string {
  return csvLine([
    qr.code,
    qr.shortLink,
    qr.destination,
    qr.status,
    String(qr.scans),
    qr.lastScanMs === null ? '' : isoTimestamp(qr.lastScanMs),
    isoTimestamp(qr.createdAtMs),
  ]);
}
