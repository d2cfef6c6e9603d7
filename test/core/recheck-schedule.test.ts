import { describe, expect, test } from 'bun:test';
import type { ReputationResult } from '../../src/core/codes/ports.ts';
import type { RecheckKind } from '../../src/core/safety/ports.ts';
import { createRecheckSchedule } from '../../src/core/safety/schedule.ts';
import { addAccount, createFolders, storesOn } from '../stores/folder.ts';
import { addManyQrs } from '../stores/many-qrs.ts';

const { newFolder, openIn } = createFolders();
const dayMs = 24 * 3_600_000;

/** Creates a database of codes, which outlives a server, and what changes around it. */
async function createFixture(count: number) {
  const database = openIn(newFolder());
  addManyQrs(database.$client, await addAccount(database, 'anna@example.org'), count);
  const { flags, runs } = storesOn(database);
  const state = {
    nowMs: 1_000_000,
    listVersion: 'first',
    canContinue: true,
    /** Runs between two slices. */
    onPause: () => {},
    isFailing: false,
    /** A destination whose check fails. */
    failsAt: '',
    /** How many destinations were checked. */
    checked: { lists: 0, provider: 0 },
  };
  const checkAs = (kind: RecheckKind) => ({
    check: async (destination: string): Promise<ReputationResult> => {
      if (state.isFailing || destination === state.failsAt) throw new Error('the disk fails');
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
      store: flags,
      runs,
      check: {
        withProvider: checkAs('provider'),
        listsOnly: checkAs('lists'),
        canAsk: () => true,
      },
      listVersion: async () => state.listVersion,
      clock: { nowMs: () => state.nowMs, monotonicMs: () => 0 },
      pauses: { lists: pause, provider: pause },
    });
  return { state, flags, startServer };
}

describe('all codes are re-checked against the lists', () => {
  test('once for each change of the lists, also across restarts', async () => {
    const { state, startServer } = await createFixture(250);
    expect(await startServer().recheckChanges()).toMatchObject({ checked: 250 });
    expect(await startServer().recheckChanges()).toMatchObject({ checked: 0 });
    state.listVersion = 'second';
    const schedule = startServer();
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 250 });
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 0 });
    expect(state.checked).toEqual({ lists: 500, provider: 0 });
  });

  test('again after a run that was ended early or failed', async () => {
    const { state, startServer } = await createFixture(250);
    const schedule = startServer();
    state.canContinue = false;
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 100 });
    state.canContinue = true;
    state.isFailing = true;
    await expect(schedule.recheckChanges()).rejects.toThrow('the disk fails');
    state.isFailing = false;
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 250 });
  });

  test('once, also if the check of one fails', async () => {
    const { state, flags, startServer } = await createFixture(3);
    const [, odd] = await flags.after(0, 3);
    const schedule = startServer();
    state.failsAt = odd?.destination ?? '';
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 2, failed: 1 });
    // The run is complete. In the queue, it keeps no other waiting.
    for (const code of await flags.after(0, 3).then((codes) => codes.slice(1)))
      await flags.enqueue(code);
    expect(await schedule.recheckChanges()).toMatchObject({ checked: 1, failed: 1 });
    expect(await flags.queued(5)).toMatchObject([{ qrId: odd?.qrId }]);
  });

  test('once more when the lists change during a run', async () => {
    const { state, startServer } = await createFixture(250);
    const schedule = startServer();
    state.onPause = () => {
      state.listVersion = 'second';
    };
    for (const checked of [250, 250, 0])
      expect(await schedule.recheckChanges()).toMatchObject({ checked });
  });
});

test('queued codes are re-checked with the provider while the lists are unchanged', async () => {
  const { state, flags, startServer } = await createFixture(3);
  const schedule = startServer();
  await schedule.recheckChanges();
  for (const code of await flags.after(0, 1)) await flags.enqueue(code);
  expect(await schedule.recheckChanges()).toMatchObject({ checked: 1 });
  expect(await flags.queueLength()).toBe(0);
  expect(state.checked).toEqual({ lists: 3, provider: 1 });
});

describe('all codes are re-checked with the provider', () => {
  test('once a day, also across restarts', async () => {
    const { state, startServer } = await createFixture(3);
    for (let hour = 0; hour <= 24; hour++) {
      await startServer().recheckDaily();
      state.nowMs += dayMs / 24;
    }
    expect(state.checked).toEqual({ lists: 0, provider: 6 });
  });

  test('again when the run was ended early', async () => {
    const { state, startServer } = await createFixture(250);
    state.canContinue = false;
    expect(await startServer().recheckDaily()).toMatchObject({ checked: 100 });
    state.canContinue = true;
    expect(await startServer().recheckDaily()).toMatchObject({ checked: 250 });
  });

  test('also after the clock was set back by more than a day', async () => {
    const { state, startServer } = await createFixture(3);
    const schedule = startServer();
    await schedule.recheckDaily();
    state.nowMs -= 2 * dayMs;
    await schedule.recheckDaily();
    expect(state.checked.provider).toBe(6);
  });
});
