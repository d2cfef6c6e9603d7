import { describe, expect, test } from 'bun:test';
import type { ReputationResult } from '../../src/core/ports.ts';
import type { CheckedCode, FlagStore } from '../../src/core/safety/recheck.ts';
import {
  createRecheckSchedule,
  type RecheckKind,
  type RecheckRun,
} from '../../src/core/safety/schedule.ts';

const dayMs = 24 * 3_600_000;

/** What outlives the program: codes and notes. And a world that changes around it. */
function createWorld(codes: number) {
  const suspects = Array.from(
    { length: codes },
    (_, number): CheckedCode => ({
      qrId: number + 1,
      code: `code${number}`,
      owner: 'anna@example.org',
      destination: `https://example.org/${number}`,
      flag: null,
    }),
  );
  const store: FlagStore = {
    after: async (qrId, limit) => suspects.filter((one) => one.qrId > qrId).slice(0, limit),
    newest: async () => suspects.at(-1)?.qrId ?? 0,
    setFlag: async () => {},
    queued: async (limit) => world.queue.slice(0, limit),
    enqueue: async () => {},
    dequeue: async (settled) => {
      world.queue = world.queue.filter((one) => one.qrId !== settled.qrId);
    },
    setBlocked: async () => false,
  };
  const noted = new Map<RecheckKind, RecheckRun>();
  const world = {
    nowMs: 1_000_000,
    generation: 'first',
    goesOn: true,
    /** Happens between two slices of a look. */
    meanwhile: () => {},
    fails: false,
    failsToNote: false,
    asked: { lists: 0, whole: 0 },
    /** Whose destinations the provider was asked about, by their numbers. */
    wholeOf: [] as number[],
    /** Where a look with the provider begins, from 0 to 1. */
    chance: 0,
    /** By whom, one after the other. */
    order: [] as RecheckKind[],
    suspects,
    /** What could not be checked fully. */
    queue: [] as CheckedCode[],
    noted,
    /** The program starts. */
    start: () => {
      const asking = (kind: RecheckKind) => ({
        check: async (destination: string): Promise<ReputationResult> => {
          if (world.fails) throw new Error('the disk fails');
          world.asked[kind]++;
          world.order.push(kind);
          if (kind === 'whole') world.wholeOf.push(Number(destination.split('/').at(-1)));
          return { flagged: false, checked: kind === 'whole' ? 'fully' : 'locally' };
        },
      });
      const pause = async () => {
        world.meanwhile();
        return world.goesOn;
      };
      return createRecheckSchedule({
        store,
        looks: {
          last: async (kind) => noted.get(kind) ?? null,
          record: async (kind, look) => {
            if (world.failsToNote) throw new Error('the disk is full');
            noted.set(kind, look);
          },
        },
        check: {
          whole: asking('whole'),
          locally: asking('lists'),
          canAsk: () => true,
          listVersion: async () => world.generation,
        },
        clock: { nowMs: () => world.nowMs, monotonicMs: () => 0 },
        chance: () => world.chance,
        pauses: { lists: pause, whole: pause },
      });
    },
  };
  return world;
}

describe('all destinations are looked at', () => {
  test('once for each change of the lists', async () => {
    const world = createWorld(250);
    const patrol = world.start();
    expect(await patrol.look()).toMatchObject({ checked: 250 });
    expect(await patrol.look()).toMatchObject({ checked: 0 });
    world.generation = 'second';
    expect(await patrol.look()).toMatchObject({ checked: 250 });
    expect(world.asked).toEqual({ lists: 500, whole: 0 });
  });

  test('not again by a start at which nothing has changed', async () => {
    const world = createWorld(250);
    await world.start().look();
    expect(await world.start().look()).toMatchObject({ checked: 0 });
    expect(world.asked.lists).toBe(250);
  });

  test('by a start at which the lists have changed', async () => {
    const world = createWorld(250);
    await world.start().look();
    world.generation = 'changed while nobody looked';
    expect(await world.start().look()).toMatchObject({ checked: 250 });
  });

  test('by a start after a look that did not come to its end', async () => {
    const world = createWorld(250);
    world.goesOn = false;
    expect(await world.start().look()).toMatchObject({ checked: 100 });
    expect(world.noted.get('lists')).toBeUndefined();
    world.goesOn = true;
    expect(await world.start().look()).toMatchObject({ checked: 250 });
  });

  test('again soon after a look that failed', async () => {
    const world = createWorld(250);
    const patrol = world.start();
    world.fails = true;
    await expect(patrol.look()).rejects.toThrow('the disk fails');
    expect(world.noted.get('lists')).toBeUndefined();
    world.fails = false;
    expect(await patrol.look()).toMatchObject({ checked: 250 });
  });

  test('again by the next start alone, after a look that could not be noted', async () => {
    const world = createWorld(250);
    const patrol = world.start();
    await patrol.look();
    world.generation = 'second';
    world.failsToNote = true;
    await expect(patrol.look()).rejects.toThrow('the disk is full');
    world.failsToNote = false;
    expect(await patrol.look()).toMatchObject({ checked: 0 });
    expect(await world.start().look()).toMatchObject({ checked: 250 });
  });

  test('for a change during a look once more after it', async () => {
    const world = createWorld(250);
    const patrol = world.start();
    world.meanwhile = () => {
      world.generation = 'second';
    };
    expect(await patrol.look()).toMatchObject({ checked: 250 });
    expect(await patrol.look()).toMatchObject({ checked: 250 });
    expect(await patrol.look()).toMatchObject({ checked: 0 });
  });
});

describe('the provider is asked about all of them', () => {
  test('once a day, however often the program starts, and never first of all', async () => {
    const world = createWorld(3);
    let patrol = world.start();
    await patrol.look();
    expect(world.asked.whole).toBe(0);
    world.nowMs += dayMs;
    await patrol.look();
    expect(world.asked).toEqual({ lists: 3, whole: 3 });
    for (let hour = 1; hour <= 24; hour++) {
      world.nowMs += dayMs / 24;
      patrol = world.start();
      await patrol.look();
    }
    expect(world.asked).toEqual({ lists: 3, whole: 6 });
  });

  test('after the first day, also where no start lives that long', async () => {
    const world = createWorld(3);
    for (let hour = 0; hour < 24; hour++) {
      await world.start().look();
      world.nowMs += dayMs / 24;
    }
    expect(world.asked.whole).toBe(0);
    await world.start().look();
    expect(world.asked).toEqual({ lists: 3, whole: 3 });
  });

  test('after the lists, where those have changed', async () => {
    const world = createWorld(3);
    const patrol = world.start();
    await patrol.look();
    world.nowMs += dayMs;
    world.generation = 'second';
    await patrol.look();
    expect(world.asked).toEqual({ lists: 6, whole: 0 });
    await patrol.look();
    await patrol.look();
    expect(world.asked).toEqual({ lists: 6, whole: 3 });
  });

  test('without letting a change of the lists wait, or a code that could not be checked fully', async () => {
    const world = createWorld(250);
    const patrol = world.start();
    await patrol.look();
    world.nowMs += dayMs;
    world.order.length = 0;
    world.meanwhile = () => {
      world.generation = 'second';
      world.queue = world.suspects.slice(0, 1);
      world.meanwhile = () => {};
    };
    expect(await patrol.look()).toMatchObject({ checked: 501 });
    const [whole, lists] = [world.order.indexOf('lists'), world.order.lastIndexOf('lists')];
    expect([whole, lists]).toEqual([200, 449]);
    expect(world.queue).toBeEmpty();
    expect(world.noted.get('lists')).toMatchObject({ listVersion: 'second' });
    expect(await patrol.look()).toMatchObject({ checked: 0 });
  });

  test('each time from another code on, and once about each', async () => {
    const world = createWorld(250);
    await world.start().look();
    world.nowMs += dayMs;
    world.chance = 0.5;
    expect(await world.start().look()).toMatchObject({ checked: 250 });
    const numbers = Array.from({ length: 250 }, (_, number) => number);
    expect(world.wholeOf).toEqual([...numbers.slice(125), ...numbers.slice(0, 125)]);
  });

  test('in the end, also where no start lives as long as it takes', async () => {
    const world = createWorld(250);
    await world.start().look();
    world.nowMs += dayMs;
    world.goesOn = false;
    for (const chance of [0.8, 0, 0.4]) {
      world.chance = chance;
      expect((await world.start().look()).checked).toBeLessThan(250);
    }
    expect(new Set(world.wholeOf).size).toBe(250);
    // Each of them is begun, and none is done.
    expect(world.noted.get('whole')).toMatchObject({ startedMs: 1_000_000 });
  });

  test('also after the clock was set back by more than a day', async () => {
    const world = createWorld(3);
    const patrol = world.start();
    await patrol.look();
    world.nowMs -= 2 * dayMs;
    await patrol.look();
    expect(world.asked.whole).toBe(3);
  });
});
