import { describe, expect, test } from 'bun:test';
import { backupName, backupTimeMs, createBackupSchedule } from '../../src/core/backups/schedule.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-11-25T10:00:00Z');

/** A schedule on a clock and a list of backups of the test. */
function createFixture(...times: number[]) {
  const made: string[] = [];
  const state = { nowMs: start, failure: '' };
  const schedule = createBackupSchedule({
    folder: '/backups',
    backupTimes: () => times,
    backUp: async () => {
      made.push(new Date(state.nowMs).toISOString());
      if (state.failure !== '') throw new Error(state.failure);
      times.push(state.nowMs);
    },
    clock: { nowMs: () => state.nowMs, monotonicMs: () => state.nowMs },
    hourOf: (ms) => new Date(ms).getUTCHours(),
  });
  return {
    state,
    made,
    schedule,
    /** Lets hours pass in steps of ten minutes. */
    pass: async (hours: number) => {
      for (let step = 0; step < hours * 6; step++) {
        await schedule.run();
        state.nowMs += hourMs / 6;
      }
    },
  };
}

describe('a daily backup', () => {
  test('is made at once where there is none, and then in the quiet hour of each day', async () => {
    const { made, pass } = createFixture();
    await pass(72);
    expect(made).toEqual([
      '2026-11-25T10:00:00.000Z',
      '2026-11-26T03:00:00.000Z',
      '2026-11-27T03:00:00.000Z',
      '2026-11-28T03:00:00.000Z',
    ]);
  });

  test.each([
    ['soon where it is a little over a day old', 24.5, '2026-11-25T10:40:00.000Z'],
    ['at once where the quiet hour was missed', 26, '2026-11-25T10:00:00.000Z'],
    ['at once where the clock was wrong', -1000, '2026-11-25T10:00:00.000Z'],
    ['in the next quiet hour', 7, '2026-11-26T03:00:00.000Z'],
  ])('is made %s', async (_, ageHours, expected) => {
    const { made, pass } = createFixture(start - ageHours * hourMs);
    await pass(17.5);
    expect(made[0]).toBe(expected);
    expect(made.length).toBe(expected.includes('T03') ? 1 : 2);
  });

  test('that fails is told and tried again after an hour', async () => {
    const { state, made, schedule, pass } = createFixture();
    state.failure = 'no space left on the disk (ENOSPC).';
    await pass(2);
    expect(made).toEqual(['2026-11-25T10:00:00.000Z', '2026-11-25T11:00:00.000Z']);
    expect(schedule.condition.check()).toEqual([
      expect.stringMatching(/\/backups .*failed: no space left on the disk \(ENOSPC\)\. It is/),
    ]);
    state.failure = '';
    await pass(1);
    expect(made).toHaveLength(3);
    expect(schedule.condition.check()).toEqual([]);
  });

  test('is not made twice at the same time', async () => {
    const first = Promise.withResolvers<void>();
    let begun = 0;
    const schedule = createBackupSchedule({
      folder: '/backups',
      backupTimes: () => [],
      backUp: () => {
        begun++;
        return first.promise;
      },
      clock: { nowMs: () => start, monotonicMs: () => 0 },
      hourOf: () => 3,
    });
    const running = schedule.run();
    await schedule.run();
    expect(begun).toBe(1);
    first.resolve();
    await running;
  });
});

test('names of backups have their time', () => {
  expect(backupTimeMs(backupName(start))).toBe(start);
  for (const other of ['waymark.db', 'waymark-x.db', `${backupName(start)}.partial-1`])
    expect([other, backupTimeMs(other)]).toEqual([other, null]);
});
