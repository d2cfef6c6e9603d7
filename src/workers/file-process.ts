import { ServerBusy } from '../core/errors.ts';
import type { WorkOptions } from '../core/fair-queue.ts';
import type { Reason } from '../core/reasons.ts';
import { internalCommands, programCommand } from '../lib/build/program-command.ts';
import { errorMessage } from '../lib/errors.ts';
import { readAtMost } from '../lib/files/bounded-read.ts';
import { type FileJobs, maxAnswerBytes } from './file-jobs.ts';
import type { Job, Reply } from './job.ts';

/** What of a worker is needed. */
type FileWorker = Pick<Worker, 'addEventListener' | 'postMessage'>;

type FileJob = Extract<Job, { readonly name: keyof FileJobs }>;

interface ProcessLimits {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

const limitsByJob: Readonly<Record<keyof FileJobs, ProcessLimits>> = {
  // A PNG of 4,096 × 4,096 takes 1.5 s and 300 MB.
  logoFile: { cpuMs: 4_000, rssBytes: 450_000_000 },
  // A spreadsheet of 5,000 rows takes 1 s and 120 MB, one with 100 columns in each 4 s and 220 MB.
  tableFile: { cpuMs: 10_000, rssBytes: 280_000_000 },
  // An export of 50,000 links in 20 MB takes 2 s and 350 MB.
  linkFile: { cpuMs: 10_000, rssBytes: 280_000_000 },
};

/**
 * Wall time, for a process that never ends.
 * On a busy machine, minutes pass without any work being done.
 */
const timeoutMs = 300_000;

const checkEveryMs = 20;

// Larger files, which only commands read, may take more memory.
const ordinaryBytes = 10_000_000;
const rssPerByteBeyond = 17;

const exitCodes = { answered: 0, refused: 3, failed: 2 } as const;

/** Outcome of reading a file. */
export type FileOutcome =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'refused'; readonly reason: Reason }
  /** The process was killed at a limit, or failed. */
  | { readonly kind: 'stopped' };

/**
 * Reads a file in a process of its own.
 *
 * @param options of the job; JSON of at most 100 kB
 * @throws ServerBusy when no process starts
 */
export async function readInProcess(
  job: keyof FileJobs,
  bytes: Uint8Array,
  options: object,
  { signal }: WorkOptions,
): Promise<FileOutcome> {
  const child = start(job, bytes, options, signal);
  const output = await readAtMost(child.stdout, maxAnswerBytes[job]);
  if (typeof output === 'string') child.kill('SIGKILL');
  const exitCode = await child.exited;
  if (typeof output === 'string') return { kind: 'stopped' };
  if (exitCode === exitCodes.answered) return { kind: 'answer', bytes: output };
  return exitCode === exitCodes.refused
    ? { kind: 'refused', reason: JSON.parse(new TextDecoder().decode(output)) }
    : { kind: 'stopped' };
}

// What JavaScriptCore takes for the memory of the machine: garbage is collected before it fills the limits.
const ramBytes = 200_000_000;

function start(
  job: keyof FileJobs,
  bytes: Uint8Array,
  options: object,
  signal: AbortSignal | undefined,
) {
  try {
    return Bun.spawn(
      [...programCommand(), internalCommands.readFile, job, JSON.stringify(options)],
      {
        stdin: bytes,
        stdout: 'pipe',
        stderr: 'ignore',
        env: { ...process.env, BUN_JSC_forceRAMSize: String(ramBytes) },
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        ...(signal !== undefined && { signal }),
      },
    );
  } catch (error) {
    throw new ServerBusy(`the process for a file cannot be started: ${errorMessage(error)}`);
  }
}

/** Runs the internal command: reads standard input in a worker and enforces the limits. */
export async function runFileProcess(
  [name = '', options = '{}']: readonly string[],
  startRenderWorker: () => FileWorker,
): Promise<never> {
  if (!isFileJob(name)) throw new Error(`there is no job ${name}`);
  const { cpuMs, rssBytes } = limitsByJob[name];
  let maxRssBytes = rssBytes;
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const isOver = (user + system) / 1_000 > cpuMs || process.memoryUsage.rss() > maxRssBytes;
    // exit() would wait for the worker.
    if (isOver) process.kill(process.pid, 'SIGKILL');
  }, checkEveryMs);
  const bytes = await Bun.stdin.bytes();
  maxRssBytes += rssPerByteBeyond * Math.max(0, bytes.length - ordinaryBytes);
  // The cast is safe: `start` passes the options of this job.
  const job = { name, args: [bytes, JSON.parse(options)] } as FileJob;
  const reply = await firstReply(startRenderWorker(), job);
  if (!reply.ok && reply.reason === null) throw new Error(reply.message);
  // The worker's reply to a job on a file is bytes.
  const output = reply.ok ? (reply.value as Uint8Array) : JSON.stringify(reply.reason);
  await Bun.write(Bun.stdout, output);
  process.exit(reply.ok ? exitCodes.answered : exitCodes.refused);
}

function isFileJob(name: string): name is keyof FileJobs {
  return Object.hasOwn(limitsByJob, name);
}

function firstReply(worker: FileWorker, job: FileJob): Promise<Reply> {
  return new Promise((resolve) => {
    // The worker posts replies only.
    worker.addEventListener('message', (event) => resolve((event as MessageEvent<Reply>).data));
    worker.addEventListener('close', () => process.exit(exitCodes.failed));
    worker.postMessage(job, [job.args[0].buffer]);
  });
}
