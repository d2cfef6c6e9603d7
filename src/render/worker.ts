import { LogoRefused } from '../core/ports.ts';
import { doJob, type Job } from './job.ts';
import type { Reply, Request } from './pool.ts';
import { chooseRasterizer } from './rasterizer.ts';

/** Entry point of a render worker: takes one request at a time and answers each with one reply. */
declare const self: Worker;

const ready = chooseRasterizer();

self.onmessage = async ({ data }: MessageEvent<Request<Job>>) => {
  self.postMessage(await replyTo(data));
};

async function replyTo({ id, job }: Request<Job>): Promise<Reply> {
  try {
    await ready;
    return { id, ok: true, value: await doJob(job) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { id, ok: false, message, refused: error instanceof LogoRefused };
  }
}
