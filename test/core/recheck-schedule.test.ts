import { describe, expect, test } from 'bun:test';
import type { ReputationResult } from '../../src/core/codes/ports.ts';
import type {
  CheckedCode,
  FlagStore,
  RecheckKind,
  RecheckRun,
} from '../../src/core/safety/ports.ts';
import { createRecheckSchedule } from '../../src/core/safety/schedule.ts';

const dayMs = 24 * 3_600_000;

/** Creates codes and recorded runs, which outlive a server, and what changes around them. */
function createFixture(count: number) {
  const codes = Array.from(
    { length: count },
    (_, number): CheckedCode => ({
      qrId: number + 1,
      code: `code${number}`,
      owner: 'anna@example.org',
      destination: `https://example.org/${number}`,
      status: 'active',
      blockReason: null,
      flag: null,
    }),
  );
  const runs = new Map<RecheckKind, RecheckRun>();
  const state = {
    nowMs: 1_000_000,
    listVersion: 'first',
    canContinue: true,
    /** Runs between two slices. */
    onPause: () => {},
    isFailing: false,
    /** How many destinations were checked. */
    checked: { lists: 0, provider: 0 },
    queue: [] as CheckedCode[],
  };
  const store: FlagStore = {
    find: async () => null,
    flagged: async () => [],
    blocked: async () => [],
    flaggedCount: async () => 0,
    summary: async () => ({
      flagged: 0,
      lists: [],
      flaggedCodes: [],
      blocked: 0,
      blockedCode: null,
    }),
    queueLength: async () => state.queue.length,
    after: async (qrId, limit) => codes.filter((code) => code.qrId > qrId).slice(0, limit),
    setFlag: async () => {},
    queued: async (limit) => state.queue.slice(0, limit),
    enqueue: async () => {},
    dequeue: async ({ qrId }) => {
      state.queue = state.queue.filter((code) => code.qrId !== qrId);
    },
    setBlocked: async () => false,
  };
  const checkAs = (kind: RecheckKind) => ({
    check: async (): Promise<ReputationResult> => {
      if (state.isFailing) throw new Error('the disk fails');
      state.checked[kind]++;
      return { flagged: false, checked: kind === 'provider' ? 'fully' : 'locally' };
    },
  });
  const pause = async () => {
    state.onPause();
    return state.canContinue;
  };
  const startServer = () =>
    createRecheckSchedule({
      store,
      runs: {
        last: async (kind) => runs.get(kind) ?? null,
        record: async (kind, run) => {
          runs.set(kind, run);
        },
      },
      check: {
        withProvider: checkAs('provider'),
        listsOnly: checkAs('lists'),
        canAsk: () => true,
      },
      listVersion: async () => state.listVersion,
      clock: { nowMs: () => state.nowMs, monotonicMs: () => 0 },
      pauses: { lists: pause, provider: pause },
    });
  return { state, codes, startServer };
}

describe('all codes are re-checked against the lists', () => {
  test('once for each change of the lists, also across restarts', async () => {
    const { state, startServer } = createFixture(250);
    expect(await startServer().recheckChanges()).toMatchObject({ checked: 250 });
    expect(await startServer().recheckChanges()).toMatchObject({ checked: 0 });
    state.listVersion = 'second';
    const schedule = startServer();
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 250 });
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 0 });
    expect(state.checked).toEqual({ lists: 500, provider: 0 });
  });

  test('again after a run that was ended early or failed', async () => {
    const { state, startServer } = createFixture(250);
    const schedule = startServer();
    state.canContinue = false;
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 100 });
    state.canContinue = true;
    state.isFailing = true;
    await expect(schedule.recheckChanges()).rejects.toThrow('the disk fails');
    state.isFailing = false;
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 250 });
  });

  test('once more when the lists change during a run', async () => {
    const { state, startServer } = createFixture(250);
    const schedule = startServer();
    state.onPause = () => {
      state.listVersion = 'second';
    };
    for (const checked of [250, 250, 0])
      expect(await schedule.recheckChanges()).toMatchObject({ checked });
  });
});

test('queued codes are re-checked with the provider while the lists are unchanged', async () => {
  const { state, codes, startServer } = createFixture(3);
  const schedule = startServer();
  await schedule.recheckChanges();
  state.queue = codes.slice(0, 1);
  expect(await schedule.recheckChanges()).toMatchObject({ checked: 1 });
  expect(state.queue).toBeEmpty();
  expect(state.checked).toEqual({ lists: 3, provider: 1 });
});

describe('all codes are re-checked with the provider', () => {
  test('once a day, also across restarts', async () => {
    const { state, startServer } = createFixture(3);
    for (let hour = 0; hour <= 24; hour++) {
      await startServer().recheckDaily();
      state.nowMs += dayMs / 24;
    }
    expect(state.checked).toEqual({ lists: 0, provider: 6 });
  });

  test('again when the run was ended early', async () => {
    const { state, startServer } = createFixture(250);
    state.canContinue = false;
    expect(await startServer().recheckDaily()).toMatchObject({ checked: 100 });
    state.canContinue = true;
    expect(await startServer().recheckDaily()).toMatchObject({ checked: 250 });
  });

  test('also after the clock was set back by more than a day', async () => {
    const { state, startServer } = createFixture(3);
    const schedule = startServer();
    await schedule.recheckDaily();
    state.nowMs -= 2 * dayMs;
    await schedule.recheckDaily();
    expect(state.checked.provider).toBe(6);
  });
});
