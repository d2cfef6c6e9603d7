import { expect, test } from 'bun:test';
import { createHealth, type HealthCondition } from '../../src/core/health.ts';
import { every } from '../../src/lib/event-loop.ts';
import { until } from '../support/until.ts';

const ignored = () => {};

test('a condition that throws holds as a problem of its name, until it is checked again', () => {
  const logged: string[] = [];
  const log = {
    debug: ignored,
    info: ignored,
    warn: ignored,
    error: (text: string) => logged.push(text),
  };
  const health = createHealth(log);
  const broken: HealthCondition = {
    name: 'disk_low',
    severity: 'warning',
    rejectsWrites: true,
    check: () => {
      if (isBroken) throw Object.assign(new Error('stat'), { code: 'ELOOP' });
      return [];
    },
  };
  let isBroken = true;
  health.add(broken, { name: 'other', severity: 'warning', check: () => ['Other.'] });
  const message =
    'Whether disk_low holds cannot be checked: too many symbolic links (ELOOP). Check the folders and files of the server.';
  expect(health.read()).toEqual({
    problems: [message],
    warnings: ['Other.'],
    conditions: [
      { name: 'disk_low', severity: 'problem', holds: true },
      { name: 'other', severity: 'warning', holds: true },
    ],
  });
  expect(health.rejectsWrites()).toBe(true);
  health.read();
  expect(logged).toEqual([message]);
  isBroken = false;
  expect(health.read().conditions[0]).toEqual({
    name: 'disk_low',
    severity: 'warning',
    holds: false,
  });
});

test.each([
  [
    'throws',
    () => {
      throw new Error('once');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('once');
    },
  ],
])('a background task that %s goes on, and reports it once', async (_, fail) => {
  const errors: unknown[] = [];
  let runs = 0;
  const stop = every(
    1,
    () => {
      runs++;
      return runs === 5 ? undefined : fail();
    },
    (error) => errors.push(error),
  );
  await until(async () => runs >= 8);
  stop();
  // Once before the run that did not fail, and once after it.
  expect(errors).toHaveLength(2);
});
