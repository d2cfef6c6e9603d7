import type { HistogramReadings } from '../responses.ts';

/** Labels of a sample by their names. Values of any text are possible. */
type Labels = Readonly<Record<string, string>>;

/** The media type of {@link writeMetrics}: Prometheus text format, version 0.0.4. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** A metric: a name, what it says, and its samples. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels: Labels;
  readonly value: number | HistogramReadings;
}

/** Writes metrics in the text format of Prometheus. Samples of a metric with equal labels are added. */
export function writeMetrics(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('\n');
}

function metricText({ name, help, type, samples }: Metric): string {
  const sums = new Map<string, number>();
  const add = (series: string, value: number) => sums.set(series, (sums.get(series) ?? 0) + value);
  for (const { labels, value } of samples) {
    if (typeof value === 'number') {
      add(name + labelText(labels), value);
      continue;
    }
    for (const { upTo, count } of value.buckets)
      add(`${name}_bucket${labelText({ ...labels, le: String(upTo) })}`, count);
    add(`${name}_bucket${labelText({ ...labels, le: '+Inf' })}`, value.count);
    add(`${name}_sum${labelText(labels)}`, value.sum);
    add(`${name}_count${labelText(labels)}`, value.count);
  }
  const lines = [...sums].map(([series, value]) => `${series} ${value}\n`);
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
