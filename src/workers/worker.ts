import { getPriority, setPriority } from 'node:os';
import { Refused } from '../core/errors.ts';
import { errorMessage } from '../lib/errors.ts';
import { type Job, jobs, type Reply } from './job.ts';

/** Entry point of a render worker: receives one job at a time and posts a reply to each. */
declare const self: Worker;

/** Of 19. Redirects get ten times the CPU time of a worker when both need a processor. */
const workerNiceness = 10;

lowerPriority();

self.onmessage = async ({ data }: MessageEvent<Job>) => {
  self.postMessage(await replyTo(data));
};

async function replyTo({ name, args }: Job): Promise<Reply> {
  const before = process.threadCpuUsage();
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    // The cast is safe: the arguments of a job are those of its name.
    const run = jobs[name] as (...args: readonly unknown[]) => Promise<unknown>;
    const value = await run(...args);
    return { cpuMs: cpuMs(), ok: true, value };
  } catch (error) {
    const reason = error instanceof Refused ? error.reason : null;
    return { cpuMs: cpuMs(), ok: false, message: errorMessage(error), reason };
  }
}

/** Lowers the priority of this thread. On other systems than Linux the whole process would be affected. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(workerNiceness, getPriority()));
  } catch {
    // A service manager may forbid the call; then all threads have the same priority.
  }
}
