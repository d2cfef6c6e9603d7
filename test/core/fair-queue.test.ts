import { describe, expect, test } from 'bun:test';
import { ServerBusy } from '../../src/core/errors.ts';
import { createFairQueue, type Requester } from '../../src/core/fair-queue.ts';
import { yieldToEventLoop } from '../../src/lib/event-loop.ts';

/** Creates a queue whose tasks end when the test says so. */
function setUp(options: Partial<Parameters<typeof createFairQueue>[0]> = {}) {
  const queue = createFairQueue({
    slots: 1,
    slotsPerOwner: 1,
    maxWaiting: 100,
    maxWaitingPerOwner: 100,
    ...options,
  });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  /** Adds a task, whose result is its name, or `refused`. */
  const add = (name: string, requester: Partial<Requester> = {}) =>
    queue
      .run({ owner: [name.charAt(0)], ...requester }, () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      })
      .catch((error: unknown) => (error instanceof ServerBusy ? 'refused' : error));
  /** Ends running tasks, the oldest first, and returns what was started so far. */
  const end = async (count = 1) => {
    for (let task = 0; task < count; task++) {
      ends.shift()?.();
      await yieldToEventLoop();
    }
    return started.join(' ');
  };
  return { queue, add, end, started };
}

describe('owners take turns', () => {
  test('whoever came first, and whatever waits already', async () => {
    const { add, end } = setUp();
    for (const task of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) void add(task);
    expect(await end(7)).toBe('a1 b1 c1 a2 b2 a3 a4');
  });

  test('of many addresses in a network, the network has one turn', async () => {
    const { add, end } = setUp();
    for (const address of ['a1', 'a2', 'a3', 'a4']) void add(address, { owner: ['net', address] });
    void add('b1');
    expect(await end(5)).toBe('a1 b1 a2 a3 a4');
  });

  test('and who comes while a task runs is next, ahead of the rest of its owner', async () => {
    const { add, end } = setUp();
    for (const task of ['a1', 'a2', 'a3']) void add(task, { owner: ['net', 'a'] });
    expect(await end()).toBe('a1 a2');
    void add('b1', { owner: ['net', 'b'] });
    void add('c1');
    expect(await end(4)).toBe('a1 a2 c1 b1 a3');
  });

  test('and what else waits for the event loop comes between two tasks', async () => {
    const { queue } = setUp({ yieldMs: 1 });
    const order: string[] = [];
    const tasks = ['a1', 'a2', 'a3'].map((name) =>
      queue.run({ owner: ['a'] }, async () => {
        order.push(name);
        setImmediate(() => order.push('other'));
      }),
    );
    await Promise.all(tasks);
    expect(order).toEqual(['a1', 'other', 'a2', 'other', 'a3']);
  });

  test('and urgent tasks come before all others', async () => {
    const { add, end } = setUp();
    for (const task of ['a1', 'a2', 'b1']) void add(task);
    for (const task of ['c1', 'c2', 'd1']) void add(task, { isUrgent: true });
    expect(await end(6)).toBe('a1 c1 d1 c2 b1 a2');
  });

  test('one owner does not occupy all slots', async () => {
    const { add, end, started } = setUp({ slots: 2 });
    for (const task of ['a1', 'a2', 'a3']) void add(task);
    expect(started).toEqual(['a1']);
    void add('b1');
    expect(started).toEqual(['a1', 'b1']);
    // The slot of b stays free for others.
    expect(await end(2)).toBe('a1 b1 a2');
  });
});

describe('bounds', () => {
  test('hold for each owner', async () => {
    const { add, end, queue } = setUp({ maxWaitingPerOwner: 2 });
    const results = ['a1', 'a2', 'a3', 'a4', 'b1'].map((task) => add(task));
    expect(await results[3]).toBe('refused');
    expect(queue.load()).toEqual({ waiting: 3, refused: 1 });
    expect(await end(4)).toBe('a1 b1 a2 a3');
    expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'refused', 'b1']);
  });

  test('and for all together: the newest of the longest queue makes room', async () => {
    const { add, end } = setUp({ maxWaiting: 4 });
    const [, ...waiting] = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((task) => add(task));
    expect(await waiting[2]).toBe('refused');
    void add('c1');
    expect(await end(5)).toBe('a1 b1 c1 a2 a3');
  });

  test('a network of many addresses makes room for another address', async () => {
    const { add, end } = setUp({ maxWaiting: 4 });
    const owners = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const results = owners.map((address) => add(address, { owner: ['net', address] }));
    expect(await results[5]).toBe('refused');
    void add('b1');
    expect(await results[4]).toBe('refused');
    expect(await end(5)).toBe('a1 b1 a2 a3 a4');
  });
});

test('a task whose client has gone does not begin', async () => {
  const { add, end } = setUp();
  const client = new AbortController();
  void add('a1');
  const gone = add('b1', { signal: client.signal });
  void add('c1');
  client.abort();
  expect(await end(3)).toBe('a1 c1');
  expect(await gone).toBe('refused');
});

test('a task that fails gives its slot to the next', async () => {
  const { add, end, queue } = setUp();
  const failed = queue.run({ owner: ['a'] }, () => Promise.reject(new Error('disk error')));
  void add('b1');
  await expect(failed).rejects.toThrow('disk error');
  expect(await end()).toBe('b1');
});
