import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createApi } from '../support/api.ts';
import { programCommand, programEnv, runProgram } from '../support/program.ts';
import { isCompleteRun } from '../support/sample.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';
import { canTrace, tracing } from './strace.ts';

// A power cut loses what was written and not synced. These tests check in the trace of system calls
// that everything is synced in time.

const { newPath, serve } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

/** A response in the trace, and whether the log was synced since the response before. */
interface TracedResponse {
  readonly status: string;
  readonly isSynced: boolean;
}

/**
 * Parses the responses in a trace of syncs and sends. A call during which another thread calls takes
 * two lines: `… <unfinished ...>` and `<... fdatasync resumed>) = 0`.
 */
function responsesIn(trace: string): TracedResponse[] {
  const responses: TracedResponse[] = [];
  const syncing = new Set<string>();
  let isSynced = false;
  for (const line of trace.split('\n')) {
    const [thread = ''] = line.split(' ', 1);
    if (/\bf(data)?sync\(\d+<[^>]*(?:waymark|hits)\.db-wal>/.test(line)) syncing.add(thread);
    if (/\bf(data)?sync\b.* = 0/.test(line) && syncing.delete(thread)) isSynced = true;
    // The app sends its responses to the redirect server, over a Unix socket.
    const [, status] =
      /\b(?:sendto|write|writev|sendmsg)\(\d+<TCP.*"HTTP\/1\.1 (\d{3})/.exec(line) ?? [];
    if (status === undefined) continue;
    responses.push({ status, isSynced });
    isSynced = false;
  }
  return responses;
}

/** Traces redirects, creates and edits, one after the other. */
async function traceServer(durability: string): Promise<TracedResponse[]> {
  const log = newPath();
  const calls = 'trace=fsync,fdatasync,sendto,sendmsg,write,writev';
  const server = await serve(seeded.copyTo(newPath()), {
    env: { WAYMARK_DURABILITY: durability },
    through: tracing([calls], { log }),
  });
  const api = createApi(server.origin, seeded.key);
  await api.read(code);
  const before = responsesIn(readFileSync(log, 'utf8')).length;
  for (let turn = 0; turn < 20; turn++) await visit(`${server.origin}/${code}`);
  for (let turn = 0; turn < 10; turn++) await api.create(`https://example.org/${turn}`);
  for (let turn = 0; turn < 10; turn++)
    await api.call(`PATCH /qrs/${code}`, { url: `https://example.org/${turn}` });
  await server.stop();
  return responsesIn(readFileSync(log, 'utf8')).slice(before);
}

const statuses = [...Array(20).fill('302'), ...Array(10).fill('201'), ...Array(10).fill('200')];

test.skipIf(!canTrace || !isCompleteRun)(
  'with durability power, the log is synced before every answer',
  async () => {
    expect(await traceServer('power')).toEqual(
      statuses.map((status) => ({ status, isSynced: true })),
    );
  },
);

test.skipIf(!canTrace || !isCompleteRun)(
  'with durability process it is not: the trace shows it',
  async () => {
    const responses = await traceServer('process');
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    expect(responses.filter(({ isSynced }) => isSynced).length).toBeLessThan(10);
  },
);

/** A sync or rename of a file or folder. */
interface Step {
  readonly call: 'sync' | 'rename';
  readonly path: string;
  readonly newPath?: string;
}

function stepsIn(trace: string, folder: string): Step[] {
  return trace.split('\n').flatMap((line): Step[] => {
    const [, synced] = /\bf(?:data)?sync\(\d+<([^>]+)>/.exec(line) ?? [];
    if (synced !== undefined) return [{ call: 'sync', path: synced }];
    const [, from, to] = /\brename\("([^"]+)", "([^"]+)"/.exec(line) ?? [];
    if (from === undefined || to === undefined) return [];
    return [{ call: 'rename', path: resolve(folder, from), newPath: resolve(folder, to) }];
  });
}

test.skipIf(!canTrace).each([
  ['a backup', ['backup', 'backup.db'], 'backup.db'],
  ['a restored database', ['restore', 'printed.db', '--force'], 'data/waymark.db'],
  ['an export', ['export', '--json', '--out', 'codes.json'], 'codes.json'],
])('%s is synced before its rename, and the folder after it', async (_, args, file) => {
  const folder = newPath();
  mkdirSync(folder);
  const data = seeded.copyTo(join(folder, 'data'));
  await runProgram(['backup', 'printed.db', '--data', data], { cwd: folder });
  const log = join(folder, 'trace');
  const through = tracing(['trace=fsync,fdatasync,rename,renameat,renameat2'], { log });
  const child = Bun.spawn([...through, ...programCommand(), ...args, '--data', data], {
    cwd: folder,
    env: programEnv(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await child.exited).toBe(0);

  const target = join(folder, file);
  const steps = stepsIn(readFileSync(log, 'utf8'), folder);
  const renamed = steps.findIndex((step) => step.newPath === target);
  expect(renamed).toBeGreaterThan(0);
  expect(steps.slice(0, renamed)).toContainEqual({
    call: 'sync',
    path: steps[renamed]?.path ?? '',
  });
  expect(steps[renamed + 1]).toEqual({ call: 'sync', path: dirname(target) });
});
