/** Counts of values in ranges. */
export interface Histogram {
  observe(value: number): void;
  /** Returns the counts since the creation. */
  read(): HistogramReadings;
}

export interface HistogramReadings {
  /** The number of values up to each bound. */
  readonly buckets: readonly { readonly upTo: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/**
 * Creates a histogram. Observing is a few comparisons and additions, since every redirect is observed.
 *
 * @param bounds upper bounds of the ranges, ascending
 */
export function createHistogram(bounds: readonly number[]): Histogram {
  // The last range has no upper bound.
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value) => {
      let range = 0;
      while (range < bounds.length && value > (bounds[range] ?? 0)) range++;
      counts[range] = (counts[range] ?? 0) + 1;
      sum += value;
    },
    read: () => {
      let count = 0;
      const buckets = bounds.map((upTo, range) => {
        count += counts[range] ?? 0;
        return { upTo, count };
      });
      return { buckets, sum, count: count + (counts[bounds.length] ?? 0) };
    },
  };
}

/** Adds the counts of two histograms with the same bounds. */
export function addHistograms(a: HistogramReadings, b: HistogramReadings): HistogramReadings {
  const buckets = a.buckets.map(({ upTo, count }, range) => ({
    upTo,
    count: count + (b.buckets[range]?.count ?? 0),
  }));
  return { buckets, sum: a.sum + b.sum, count: a.count + b.count };
}
