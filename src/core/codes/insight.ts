import { csvLine } from '../../lib/csv.ts';
import type { DesignStore } from '../designs/ports.ts';
import type { Clock } from '../ports.ts';
import type { UncountedKind } from '../scans/hit.ts';
import { type SeriesPoint, type Span, scanSeries, seriesStartMs } from '../scans/series.ts';
import { codeFields, fieldText } from './fields.ts';
import { searchBatches } from './lists/search.ts';
import type { CodeFilter, FormerDestination, QrStore } from './ports.ts';
import { type PrintAdvice, printAdvice } from './print/size.ts';
import type { SymbolDeps } from './print/symbols.ts';
import type { Qr } from './qr.ts';

/** The details of a code that the panel shows beyond its record. */
export interface QrInsight {
  /** Newest first. */
  readonly former: readonly FormerDestination[];
  /** Whether there are older former destinations. */
  readonly hasMoreFormer: boolean;
  readonly series: readonly SeriesPoint[];
  /** Scans in the time before the series, which is as long. */
  readonly scansBefore: number;
  readonly uncounted: Readonly<Record<UncountedKind, number>>;
  /** Empty for an imported link. */
  readonly print: readonly PrintAdvice[];
}

export type QrInsights = ReturnType<typeof createQrInsights>;

// Clients may change a destination every second; a page shows what a person reads.
const maxShownFormer = 50;

/** Reads details of codes, and exports them as CSV. */
export function createQrInsights(deps: {
  store: Pick<QrStore, 'searchBatch' | 'formerDestinations' | 'hourlyScans' | 'uncountedHits'>;
  designs: Pick<DesignStore, 'find'>;
  clock: Clock;
  symbolSide: SymbolDeps['symbolSide'];
}) {
  const { store, designs, clock, symbolSide } = deps;

  const printAdviceOf = async ({ image, shortLink }: Qr): Promise<readonly PrintAdvice[]> => {
    if (image === null) return [];
    const { quietZoneModules } = await designs.find(image.designId);
    return printAdvice({ modules: symbolSide(shortLink, false), quietZoneModules });
  };

  return {
    /** Returns the details of a code with its scans in a span of time. */
    of: async (qr: Qr, span: Span): Promise<QrInsight> => {
      const nowMs = clock.nowMs();
      const startMs = seriesStartMs(span, nowMs);
      const [former, hours, uncounted, print] = await Promise.all([
        store.formerDestinations(qr.id, maxShownFormer + 1),
        store.hourlyScans(qr.id, startMs - (nowMs - startMs)),
        store.uncountedHits(qr.id),
        printAdviceOf(qr),
      ]);
      return {
        former: former.slice(0, maxShownFormer),
        hasMoreFormer: former.length > maxShownFormer,
        series: scanSeries(span, nowMs, hours),
        scansBefore: hours.reduce(
          (sum, { hourMs, scans }) => (hourMs < startMs ? sum + scans : sum),
          0,
        ),
        uncounted,
        print,
      };
    },

    /** Returns the destinations that a code had before and does not have now, each once, the latest first. */
    usedBefore: async (qr: Qr, limit: number): Promise<readonly FormerDestination[]> => {
      const former = await store.formerDestinations(qr.id, maxShownFormer);
      const latest = new Map<string, FormerDestination>();
      for (const one of former)
        if (one.destination !== qr.destination && !latest.has(one.destination))
          latest.set(one.destination, one);
      return [...latest.values()].slice(0, limit);
    },

    /** Exports the codes that a filter selects and that contain a text as CSV (RFC 4180) in batches. */
    csv: async function* (
      accountId: number,
      text = '',
      filter: CodeFilter = {},
    ): AsyncGenerator<string> {
      yield csvLine(codeFields.map(({ column }) => column));
      for await (const found of searchBatches(store, accountId, text, { filter }))
        yield found.map(csvOf).join('');
    },
  };
}

function csvOf(qr: Qr): string {
  return csvLine(codeFields.map((field) => fieldText(field, qr)));
}
