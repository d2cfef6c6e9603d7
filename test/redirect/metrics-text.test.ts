import { expect, test } from 'bun:test';
import { writeMetrics } from '../../src/redirect/metrics/exposition.ts';
import { createHistogram } from '../../src/redirect/responses.ts';

test('any text is a label, and samples with equal labels are one', () => {
  const labels = { list: 'a "list"\\of\nlines' };
  const text = writeMetrics([
    {
      name: 'ages',
      help: 'Of\nlists.',
      type: 'gauge',
      samples: [
        { labels, value: 1 },
        { labels, value: 2.5 },
      ],
    },
    { name: 'none', help: 'No samples.', type: 'counter', samples: [] },
  ]);
  expect(text.split('\n')).toEqual([
    '# HELP ages Of\\nlists.',
    '# TYPE ages gauge',
    'ages{list="a \\"list\\"\\\\of\\nlines"} 3.5',
    '',
    '# HELP none No samples.',
    '# TYPE none counter',
    '',
  ]);
});

test('a histogram has cumulative buckets, sum and count', () => {
  const histogram = createHistogram([0.1, 1]);
  for (const value of [0.05, 0.5, 0.5, 5]) histogram.observe(value);
  const samples = [{ labels: { kind: 'api' }, value: histogram.read() }];
  const text = writeMetrics([{ name: 'seconds', help: 'Time.', type: 'histogram', samples }]);
  expect(text.trim().split('\n').slice(2)).toEqual([
    'seconds_bucket{kind="api",le="0.1"} 1',
    'seconds_bucket{kind="api",le="1"} 3',
    'seconds_bucket{kind="api",le="+Inf"} 4',
    'seconds_sum{kind="api"} 6.05',
    'seconds_count{kind="api"} 4',
  ]);
});
