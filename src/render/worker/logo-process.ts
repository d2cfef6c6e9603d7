import { type Logo, maxLogoBytes } from '../../core/designs/design.ts';
import { InvalidLogo, ServerBusy } from '../../core/errors.ts';
import { createFairQueue, type Requester } from '../../core/fair-queue.ts';
import { programCommand } from '../../lib/build/program-command.ts';
import { createCache } from '../../lib/cache.ts';
import { errorMessage } from '../../lib/errors.ts';
import { stepFor } from '../logo/svg/refusal.ts';
import { pngSize } from '../png/rgba.ts';
import type { Job, Reply } from './job.ts';
import type { PoolWorker } from './pool.ts';

/**
 * Internal command that converts an upload in a process of its own, which is killed at its limits: an SVG of
 * 2 kB can take any time and 4 GB of memory. `Worker.terminate` stops neither WebAssembly
 * (oven-sh/bun#36356) nor a decoder of Bun.Image.
 */
export const convertLogoCommand = 'convert-logo';

/** A PNG of 4,096 × 4,096 takes 1.5 s and 300 MB. */
const limits = { cpuMs: 4_000, rssBytes: 450_000_000 } as const;

/** Wall time, for a process that waits for ever. On a busy machine, minutes pass without any work being done. */
const timeoutMs = 300_000;

const checkEveryMs = 20;

/**
 * Two conversions run at the same time, and one of each account: the uploads of another never wait for one that
 * takes all of its time.
 */
const queueOptions = { slots: 2, slotsPerOwner: 1, maxWaiting: 32, maxWaitingPerOwner: 8 } as const;

/** Converted logos, which every preview of an unsaved design sends again. */
const cacheBytes = 4_000_000;

const [converted, rejected] = [0, 1];

/**
 * Creates a converter with processes of its own.
 *
 * @returns a function that throws InvalidLogo, or ServerBusy when too many uploads are waiting or no process starts
 */
export function createLogoConverter(): (bytes: Uint8Array, requester: Requester) => Promise<Logo> {
  const queue = createFairQueue(queueOptions);
  const cache = createCache<string, Logo>(cacheBytes, ({ png }) => png.length);
  return async (bytes, requester) => {
    checkFileSize(bytes);
    const known = cache.get(uploadDigest(bytes));
    if (known !== undefined) return known;
    const result = await queue.run(requester, () => convertInProcess(bytes));
    cache.set(uploadDigest(result.png), result);
    return result;
  };
}

function uploadDigest(bytes: Uint8Array): string {
  return Bun.CryptoHasher.hash('sha256', bytes, 'base64');
}

function checkFileSize({ length }: Uint8Array): void {
  const format = (count: number) => count.toLocaleString('en-US');
  if (length === 0) {
    throw new InvalidLogo('The file is empty. Upload the logo as PNG, JPEG, WebP or SVG.');
  }
  if (length > maxLogoBytes) {
    throw new InvalidLogo(
      `The file has ${format(length)} bytes; a logo may have ${format(maxLogoBytes)}. Reduce it to 512 × 512 pixels, or export it as SVG.`,
    );
  }
}

async function convertInProcess(bytes: Uint8Array): Promise<Logo> {
  const child = start(bytes);
  const output = await new Response(child.stdout).bytes();
  const exitCode = await child.exited;
  if (exitCode === rejected) throw new InvalidLogo(new TextDecoder().decode(output));
  if (exitCode !== converted) {
    const source = new TextDecoder('latin1').decode(bytes);
    throw new InvalidLogo(
      `The picture takes too long to draw. Upload a simpler one, or a PNG.${stepFor(source)}`,
    );
  }
  return { png: output, ...pngSize(output) };
}

function start(bytes: Uint8Array) {
  try {
    return Bun.spawn([...programCommand(), convertLogoCommand], {
      stdin: bytes,
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    throw new ServerBusy(`the process for a logo cannot be started: ${errorMessage(error)}`);
  }
}

/** Runs the internal command: converts standard input in a worker and enforces the limits. */
export async function runLogoProcess(startRenderWorker: () => PoolWorker): Promise<never> {
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const isOver =
      (user + system) / 1_000 > limits.cpuMs || process.memoryUsage.rss() > limits.rssBytes;
    // exit() would wait for the worker.
    if (isOver) process.kill(process.pid, 'SIGKILL');
  }, checkEveryMs);
  const bytes = await Bun.stdin.bytes();
  const reply = await firstReply(startRenderWorker(), bytes);
  if (!reply.ok && !reply.isRejected) throw new Error(reply.message);
  // The worker's reply to a logo job is a Logo.
  const output = reply.ok ? (reply.value as Logo).png : reply.message;
  await Bun.write(Bun.stdout, output);
  process.exit(reply.ok ? converted : rejected);
}

function firstReply(worker: PoolWorker, bytes: Uint8Array): Promise<Reply> {
  return new Promise((resolve) => {
    // The worker posts replies only.
    worker.addEventListener('message', (event) => resolve((event as MessageEvent<Reply>).data));
    // Any other exit code means that the conversion failed.
    worker.addEventListener('close', () => process.exit(2));
    worker.postMessage({ name: 'normalizeLogo', args: [bytes] } satisfies Job);
  });
}
