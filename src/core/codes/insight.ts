import { csvLine } from '../../lib/csv.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { captionModulesOf } from '../designs/caption.ts';
import type { DesignStore } from '../designs/ports.ts';
import type { Clock } from '../ports.ts';
import {
  beginOfDay,
  compareDays,
  type DayRange,
  daysIn,
  type HourSums,
  type PeriodScans,
  shiftBack,
  sumHours,
} from '../scans/days.ts';
import type { UncountedKind } from '../scans/hit.ts';
import { type SeriesPoint, scanSeries } from '../scans/series.ts';
import { codeFields, fieldText } from './fields.ts';
import type { FormerDestination, QrStore } from './ports.ts';
import { type PrintAdvice, printAdvice } from './print/size.ts';
import type { SymbolDeps } from './print/symbols.ts';
import type { Qr } from './qr.ts';
import { domainOf } from './urls/short-url.ts';

/** The details of a code that the panel shows beyond its record. */
export interface QrInsight {
  /** Newest first. */
  readonly former: readonly FormerDestination[];
  /** Whether there are older former destinations. */
  readonly hasMoreFormer: boolean;
  readonly series: readonly SeriesPoint[];
  /** Scans on the days of the series, and on as many days before. */
  readonly period: PeriodScans;
  readonly uncounted: Readonly<Record<UncountedKind, number>>;
  /** Empty for an imported link. */
  readonly print: readonly PrintAdvice[];
}

export type QrInsights = ReturnType<typeof createQrInsights>;

// 2,400 hours: some milliseconds.
const partMs = 100 * 86_400_000;

// Clients may change a destination every second; a page shows what a person reads.
const maxShownFormer = 50;

/** Returns the destinations among former ones that a code does not have now, each once, the latest first. */
function latestOf(
  { destination }: Pick<Qr, 'destination'>,
  former: readonly FormerDestination[],
  limit: number,
): readonly FormerDestination[] {
  const latest = new Map<string, FormerDestination>();
  for (const one of former)
    if (one.destination !== destination && !latest.has(one.destination))
      latest.set(one.destination, one);
  return [...latest.values()].slice(0, limit);
}

/** Reads details of codes, and exports them as CSV. */
export function createQrInsights(deps: {
  store: Pick<QrStore, 'formerDestinations' | 'hourlyScans' | 'uncountedHits'>;
  designs: Pick<DesignStore, 'find'>;
  clock: Clock;
  symbolSide: SymbolDeps['symbolSide'];
}) {
  const { store, designs, clock, symbolSide } = deps;

  const printAdviceOf = async ({ image, shortLink }: Qr): Promise<readonly PrintAdvice[]> => {
    if (image === null) return [];
    const design = await designs.find(image.designId);
    return printAdvice({
      modules: symbolSide(shortLink, false),
      quietZoneModules: design.quietZoneModules,
      captionModules: captionModulesOf(design),
    });
  };

  /** Reads the hours of a code in parts. */
  const hoursOf = async (qr: Qr, sinceMs: number, untilMs: number) => {
    const sums = new Map<number, number>();
    for (let beginMs = sinceMs; beginMs < untilMs; beginMs += partMs) {
      sumHours(await store.hourlyScans(qr.id, beginMs, Math.min(beginMs + partMs, untilMs)), sums);
      await yieldToEventLoop();
    }
    return sums;
  };

  return {
    /** Returns the scans of a code on some days, by their hours. */
    hours: (qr: Qr, { first, last }: DayRange, zone: string): Promise<HourSums> =>
      hoursOf(qr, beginOfDay(first, zone), beginOfDay(last.add({ days: 1 }), zone)),

    /** Returns the details of a code with its scans on some days. */
    of: async (qr: Qr, range: DayRange, zone: string): Promise<QrInsight> => {
      const days = daysIn(range);
      const [former, sums, uncounted, print] = await Promise.all([
        store.formerDestinations(qr.id, maxShownFormer + 1),
        hoursOf(
          qr,
          beginOfDay(shiftBack(range, days).first, zone),
          beginOfDay(range.last.add({ days: 1 }), zone),
        ),
        store.uncountedHits(qr.id),
        printAdviceOf(qr),
      ]);
      return {
        former: former.slice(0, maxShownFormer),
        hasMoreFormer: former.length > maxShownFormer,
        series: scanSeries(range, sums, zone),
        period: compareDays(range, days, sums, zone, clock.nowMs()),
        uncounted,
        print,
      };
    },

    /** Returns the destinations that a code had before and does not have now, each once, the latest first. */
    usedBefore: async (qr: Qr, limit: number): Promise<readonly FormerDestination[]> =>
      latestOf(qr, await store.formerDestinations(qr.id, maxShownFormer), limit),
    latestOf,

    /**
     * Exports codes as CSV (RFC 4180) in batches. Times are in a zone, with their UTC offset.
     *
     * @param options.hasDomains whether the last column has the domain of each
     */
    csv: async function* (
      batches: AsyncIterable<readonly Qr[]>,
      zone: string,
      { hasDomains = false }: { readonly hasDomains?: boolean } = {},
    ): AsyncGenerator<string> {
      const columns = codeFields.map(({ column }): string => column);
      yield csvLine(hasDomains ? [...columns, 'domain'] : columns);
      const lineOf = (qr: Qr) => {
        const cells = codeFields.map((field) => fieldText(field, qr, zone));
        return csvLine(hasDomains ? [...cells, domainOf(qr)] : cells);
      };
      for await (const codes of batches) yield codes.map(lineOf).join('');
    },
  };
}
