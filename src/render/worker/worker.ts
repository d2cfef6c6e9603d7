import { getPriority, setPriority } from 'node:os';
import { InvalidLogo } from '../../core/errors.ts';
import { errorMessage } from '../../lib/errors.ts';
import { doJob, type Job } from './job.ts';
import { type Reply, type Request, ready } from './messages.ts';

/** Entry point of a render worker: takes one request at a time and answers each with one reply. */
declare const self: Worker;

// Pictures wait for redirects: this much less of a processor (of 19) that both want.
const workerNiceness = 10;

giveWay();
self.postMessage(ready);

self.onmessage = async ({ data }: MessageEvent<Request<Job>>) => {
  self.postMessage(await replyTo(data));
};

async function replyTo({ id, job }: Request<Job>): Promise<Reply> {
  const before = process.threadCpuUsage();
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    const value = await doJob(job);
    return { id, cpuMs: cpuMs(), ok: true, value };
  } catch (error) {
    const message = errorMessage(error);
    return { id, cpuMs: cpuMs(), ok: false, message, refused: error instanceof InvalidLogo };
  }
}

/** On Linux a priority belongs to the thread that asks for it; elsewhere to the whole program. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.max(workerNiceness, getPriority()));
  } catch {
    // A service manager may forbid the call; then all threads are alike, as they are elsewhere.
  }
}
