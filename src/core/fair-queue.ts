import { yieldWhileBusy } from '../lib/event-loop.ts';
import { ClientGone, ServerBusy } from './errors.ts';

/** For whom work is done. */
export interface Requester {
  /**
   * Owner of the work.
   * More names are queues inside the owner's, from the outermost to the innermost, such as a network and an address in
   * it.
   */
  readonly owner: readonly [string, ...string[]];
  /** Aborted when the client has gone: work that has not begun is dropped then. */
  readonly signal?: AbortSignal;
  /** Whether it starts before all work that is not urgent. */
  readonly isUrgent?: boolean;
}

/** How the work of an owner waits. */
export type WorkOptions = Omit<Requester, 'owner'>;

/** Returns the requester of an account's work. */
export function requesterOf(accountId: number, options: WorkOptions = {}): Requester {
  return { ...options, owner: [`account ${accountId}`] };
}

/** The server's own work, and that of a command. */
export const ownWork: Requester = { owner: ['server'] };

export interface FairQueueOptions {
  /** Maximum number of tasks that run at the same time, and of those of one owner. */
  readonly slots: number;
  readonly slotsPerOwner: number;
  /** Maximum number of tasks that wait, and of those of one requester. */
  readonly maxWaiting: number;
  readonly maxWaitingPerOwner: number;
  /** For tasks that occupy the event loop: how long a slot yields to other work after its task, at most. */
  readonly yieldMs?: number;
}

/** Load of a queue. */
export interface QueueLoad {
  readonly waiting: number;
  /** Tasks refused since the start because too many were waiting. */
  readonly refused: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

interface Task {
  readonly requester: Requester;
  readonly start: () => Promise<void>;
  readonly reject: (error: Error) => void;
}

/** Tasks in order of arrival, or queues that take turns. */
interface Queue {
  size: number;
  readonly tasks: Task[];
  /** The next one is first. */
  readonly inner: Map<string, Queue>;
}

/**
 * Creates a queue of work that many owners share.
 * Owners take turns, and who was served last comes last: each waits for the tasks that run, and for at most one of
 * every other that waits. When too many tasks wait, the newest one of the longest queue is rejected, so that nobody can
 * take all places.
 */
export function createFairQueue(options: FairQueueOptions) {
  const { slots, slotsPerOwner, maxWaiting, maxWaitingPerOwner, yieldMs } = options;
  const urgent = createQueue();
  const ordinary = createQueue();
  /** Running tasks by owner. */
  const running = new Map<string, number>();
  let runningTotal = 0;
  let refused = 0;

  const mayStart = (owner: string) => (running.get(owner) ?? 0) < slotsPerOwner;

  const startTasks = () => {
    while (runningTotal < slots) {
      const task = takeNext(urgent, mayStart) ?? takeNext(ordinary, mayStart);
      if (task === undefined) return;
      const { owner, signal, isUrgent } = task.requester;
      if (signal?.aborted) {
        task.reject(new ClientGone('the client has gone'));
        continue;
      }
      count(owner[0], 1);
      void task.start().finally(() => {
        count(owner[0], -1);
        // Who began to wait meanwhile has not been served yet.
        moveToEnd(isUrgent ? urgent : ordinary, owner);
        startTasks();
      });
    }
  };

  const count = (owner: string, change: number) => {
    runningTotal += change;
    const left = (running.get(owner) ?? 0) + change;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
  };

  return {
    /**
     * Runs a task when it is the requester's turn.
     *
     * @throws ServerBusy when too many are waiting, or the client has gone before it began
     */
    run<T>(requester: Requester, work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const start = async () => {
        await Promise.try(work).then(resolve, reject);
        if (yieldMs !== undefined) await yieldWhileBusy(yieldMs);
      };
      const queue = requester.isUrgent ? urgent : ordinary;
      add(queue, requester.owner, { requester, start, reject });
      startTasks();
      const isOwnFull = sizeOf(queue, requester.owner) > maxWaitingPerOwner;
      if (isOwnFull || queue.size > maxWaiting) {
        refused++;
        const newest = removeNewest(queue, isOwnFull ? requester.owner : []);
        newest?.reject(new ServerBusy('too many requests are waiting'));
      }
      return promise;
    },

    load: (): QueueLoad => ({ waiting: urgent.size + ordinary.size, refused }),

    /** Rejects all tasks that wait. */
    rejectAll(reason: string): void {
      for (const queue of [urgent, ordinary]) {
        let task = removeNewest(queue, []);
        while (task !== undefined) {
          task.reject(new ServerBusy(reason));
          task = removeNewest(queue, []);
        }
      }
    },
  };
}

function createQueue(): Queue {
  return { size: 0, tasks: [], inner: new Map() };
}

function add(queue: Queue, [name, ...rest]: readonly string[], task: Task): void {
  queue.size++;
  if (name === undefined) {
    queue.tasks.push(task);
    return;
  }
  const inner = queue.inner.get(name) ?? createQueue();
  queue.inner.set(name, inner);
  add(inner, rest, task);
}

function sizeOf(queue: Queue, [name, ...rest]: readonly string[]): number {
  if (name === undefined) return queue.size;
  const inner = queue.inner.get(name);
  return inner === undefined ? 0 : sizeOf(inner, rest);
}

/** Removes the first task of the queue whose turn it is, and moves that queue to the end. */
function takeNext(
  queue: Queue,
  isAllowed: (name: string) => boolean = () => true,
): Task | undefined {
  for (const [name, inner] of queue.inner) {
    if (!isAllowed(name)) continue;
    const task = takeNext(inner);
    queue.size--;
    queue.inner.delete(name);
    if (inner.size > 0) queue.inner.set(name, inner);
    return task;
  }
  const task = queue.tasks.shift();
  if (task !== undefined) queue.size--;
  return task;
}

/** Moves the queues of a path behind those that they take turns with. */
function moveToEnd(queue: Queue, [name, ...rest]: readonly string[]): void {
  const inner = name === undefined ? undefined : queue.inner.get(name);
  if (name === undefined || inner === undefined) return;
  queue.inner.delete(name);
  queue.inner.set(name, inner);
  moveToEnd(inner, rest);
}

/** Removes the newest task of a path, and where that ends, of the longest queue. */
function removeNewest(
  queue: Queue,
  [name = longestOf(queue), ...rest]: readonly string[],
): Task | undefined {
  const inner = name === undefined ? undefined : queue.inner.get(name);
  const task = inner === undefined ? queue.tasks.pop() : removeNewest(inner, rest);
  if (task !== undefined) queue.size--;
  if (name !== undefined && inner?.size === 0) queue.inner.delete(name);
  return task;
}

/** Returns the longest inner queue; of several, that which began to wait last. */
function longestOf({ inner }: Queue): string | undefined {
  let longest: string | undefined;
  let size = 0;
  for (const [name, queue] of inner) if (queue.size >= size) [longest, size] = [name, queue.size];
  return longest;
}
