import { csvLine } from './csv.ts';
import { withLogoFit } from './design.ts';
import { makeGenerationalCache } from './generational-cache.ts';
import type { Clock, DesignStore, FormerDestination, QrStore, Renderer } from './ports.ts';
import { type PrintAdvice, printAdvice } from './print.ts';
import { instant, type Qr } from './qr.ts';
import { type SeriesPoint, type Span, seriesBegin, seriesOf } from './scan-series.ts';
import type { UncountedKind } from './scans.ts';

/** Where a walk through an account's codes stands. */
export type Cursor = Pick<Qr, 'createdAtMs' | 'code'>;

/** Every code of an account in turn, however many there are. */
export interface QrWalk {
  /** The codes that follow in the order of the list, newest first; null begins. */
  after(accountId: number, cursor: Cursor | null, limit: number): Promise<Qr[]>;
}

/** What the panel tells of one code beyond its record. */
export interface QrInsight {
  /** The latest first. */
  readonly former: readonly FormerDestination[];
  /** Whether there were more before those. */
  readonly formerMore: boolean;
  readonly series: readonly SeriesPoint[];
  readonly uncounted: Readonly<Record<UncountedKind, number>>;
  readonly print: readonly PrintAdvice[];
}

export type QrInsights = ReturnType<typeof makeQrInsights>;

const exportPiece = 500;
// A program may change a destination every second; a page shows what a person looks through.
const shownFormer = 50;
const rememberedExtents = 10_000;

/** Reads what an account holder wants to know about codes. Changes nothing. */
export function makeQrInsights(world: {
  store: Pick<QrStore, 'formerDestinations' | 'hourlyScans' | 'uncounted'>;
  walk: QrWalk;
  designs: Pick<DesignStore, 'find'>;
  renderer: Pick<Renderer, 'judge'>;
  clock: Clock;
}) {
  const { store, walk, designs, renderer, clock } = world;
  // Link and design of a code never change, so neither does its size in modules.
  const prints = makeGenerationalCache<number, PrintAdvice[]>(rememberedExtents);

  const printOf = async (qr: Qr): Promise<PrintAdvice[]> => {
    const known = prints.get(qr.id);
    if (known !== undefined) return known;
    const design = withLogoFit(await designs.find(qr.designId), qr.logoFit);
    const advice = printAdvice(await renderer.judge(qr.shortLink, design));
    prints.set(qr.id, advice);
    return advice;
  };

  return {
    of: async (qr: Qr, span: Span): Promise<QrInsight> => {
      const nowMs = clock.nowMs();
      const [former, hours, uncounted, print] = await Promise.all([
        store.formerDestinations(qr.id, shownFormer + 1),
        store.hourlyScans(qr.id, seriesBegin(span, nowMs)),
        store.uncounted(qr.id),
        printOf(qr),
      ]);
      return {
        former: former.slice(0, shownFormer),
        formerMore: former.length > shownFormer,
        series: seriesOf(span, nowMs, hours),
        uncounted,
        print,
      };
    },

    /** All codes of an account as CSV (RFC 4180), a piece at a time, so that any number fits. */
    csv: async function* (accountId: number): AsyncGenerator<string> {
      yield csvLine(['code', 'url', 'destination', 'status', 'scans', 'last_scan', 'created_at']);
      let cursor: Cursor | null = null;
      for (;;) {
        const qrs: Qr[] = await walk.after(accountId, cursor, exportPiece);
        yield qrs.map(csvOf).join('');
        const last = qrs.at(-1);
        if (last === undefined || qrs.length < exportPiece) return;
        cursor = last;
      }
    },
  };
}

/** No cell begins as a formula: a destination begins with http, the others are words and numbers of ours. */
function csvOf(qr: Qr): string {
  return csvLine([
    qr.code,
    qr.shortLink,
    qr.destination,
    qr.status,
    String(qr.scans),
    qr.lastScanMs === null ? '' : instant(qr.lastScanMs),
    instant(qr.createdAtMs),
  ]);
}
