import { describe, expect, test } from 'bun:test';
import { type Look, type LookKind, makePatrol } from '../../src/core/patrol.ts';
import type { ReputationAnswer } from '../../src/core/ports.ts';
import type { FlagStore, Suspect } from '../../src/core/recheck.ts';

const dayMs = 24 * 3_600_000;

/** What outlives the program: codes and notes. And a world that changes around it. */
function makeWorld(codes: number) {
  const suspects = Array.from(
    { length: codes },
    (_, number): Suspect => ({
      qrId: number + 1,
      code: `code${number}`,
      owner: 'anna@example.org',
      destination: `https://example.org/${number}`,
      flag: null,
    }),
  );
  const store: FlagStore = {
    after: async (qrId, limit) => suspects.filter((one) => one.qrId > qrId).slice(0, limit),
    setFlag: async () => {},
    queued: async (limit) => world.queue.slice(0, limit),
    enqueue: async () => {},
    settle: async (settled) => {
      world.queue = world.queue.filter((one) => one.qrId !== settled.qrId);
    },
    setBlocked: async () => false,
  };
  const noted = new Map<LookKind, Look>();
  const world = {
    nowMs: 1_000_000,
    generation: 'first',
    goesOn: true,
    /** Happens between two slices of a look. */
    meanwhile: () => {},
    fails: false,
    asked: { lists: 0, whole: 0 },
    /** By whom, one after the other. */
    order: [] as LookKind[],
    suspects,
    /** What could not be checked fully. */
    queue: [] as Suspect[],
    noted,
    /** The program starts. */
    start: () => {
      const asking = (kind: LookKind) => ({
        check: async (): Promise<ReputationAnswer> => {
          if (world.fails) throw new Error('the disk fails');
          world.asked[kind]++;
          world.order.push(kind);
          return { flagged: false, checked: kind === 'whole' ? 'fully' : 'locally' };
        },
      });
      const pause = async () => {
        world.meanwhile();
        return world.goesOn;
      };
      return makePatrol({
        store,
        looks: {
          last: async (kind) => noted.get(kind) ?? null,
          note: async (kind, look) => void noted.set(kind, look),
        },
        check: {
          whole: asking('whole'),
          locally: asking('lists'),
          canAsk: () => true,
          generation: () => world.generation,
        },
        clock: { nowMs: () => world.nowMs, monotonicMs: () => 0 },
        pauses: { lists: pause, whole: pause },
      });
    },
  };
  return world;
}

describe('all destinations are looked at', () => {
  test('once for each change of the lists', async () => {
    const world = makeWorld(250);
    const patrol = world.start();
    expect(await patrol.look()).toMatchObject({ checked: 250 });
    expect(await patrol.look()).toMatchObject({ checked: 0 });
    world.generation = 'second';
    expect(await patrol.look()).toMatchObject({ checked: 250 });
    expect(world.asked).toEqual({ lists: 500, whole: 0 });
  });

  test('not again by a start at which nothing has changed', async () => {
    const world = makeWorld(250);
    await world.start().look();
    expect(await world.start().look()).toMatchObject({ checked: 0 });
    expect(world.asked.lists).toBe(250);
  });

  test('by a start at which the lists have changed', async () => {
    const world = makeWorld(250);
    await world.start().look();
    world.generation = 'changed while nobody looked';
    expect(await world.start().look()).toMatchObject({ checked: 250 });
  });

  test('by a start after a look that did not come to its end', async () => {
    const world = makeWorld(250);
    world.goesOn = false;
    expect(await world.start().look()).toMatchObject({ checked: 100 });
    expect(world.noted.get('lists')).toBeUndefined();
    world.goesOn = true;
    expect(await world.start().look()).toMatchObject({ checked: 250 });
  });

  test('again soon after a look that failed', async () => {
    const world = makeWorld(250);
    const patrol = world.start();
    world.fails = true;
    await expect(patrol.look()).rejects.toThrow('the disk fails');
    expect(world.noted.get('lists')).toBeUndefined();
    world.fails = false;
    expect(await patrol.look()).toMatchObject({ checked: 250 });
  });

  test('for a change during a look once more after it', async () => {
    const world = makeWorld(250);
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
    const world = makeWorld(3);
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
    const world = makeWorld(3);
    for (let hour = 0; hour < 24; hour++) {
      await world.start().look();
      world.nowMs += dayMs / 24;
    }
    expect(world.asked.whole).toBe(0);
    await world.start().look();
    expect(world.asked).toEqual({ lists: 3, whole: 3 });
  });

  test('after the lists, where those have changed', async () => {
    const world = makeWorld(3);
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
    const world = makeWorld(250);
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
    expect(world.noted.get('lists')).toMatchObject({ generation: 'second' });
    expect(await patrol.look()).toMatchObject({ checked: 0 });
  });

  test('also after the clock was set back by more than a day', async () => {
    const world = makeWorld(3);
    const patrol = world.start();
    await patrol.look();
    world.nowMs -= 2 * dayMs;
    await patrol.look();
    expect(world.asked.whole).toBe(3);
  });
});
