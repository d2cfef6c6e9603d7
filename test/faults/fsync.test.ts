import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createApi } from '../support/api.ts';
import { programCommand, programEnv } from '../support/program.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';
import { canTrace, tracing } from './strace.ts';

setDefaultTimeout(120_000);

const { newPath, launch } = createLaunches();
const seeded = await seed(newPath(), 1);
const code = seeded.codes[0]?.code ?? '';

/** What the tracer saw of one answer: whether the log was synced since the one before. */
interface Answered {
  readonly status: string;
  readonly synced: boolean;
}

/**
 * Answers in the order in which they were sent, from a trace of writes, syncs and sends. A call during
 * which another thread calls takes two lines, `… <unfinished ...>` and `<... fdatasync resumed>) = 0`.
 */
function answersIn(trace: string): Answered[] {
  const answers: Answered[] = [];
  const syncing = new Set<string>();
  let synced = false;
  for (const line of trace.split('\n')) {
    const [thread = ''] = line.split(' ', 1);
    if (/\bf(data)?sync\(\d+<[^>]*waymark\.db-wal>/.test(line)) syncing.add(thread);
    if (/\bf(data)?sync\b.* = 0/.test(line) && syncing.delete(thread)) synced = true;
    const [, status] = /\b(?:sendto|write|writev|sendmsg)\(.*"HTTP\/1\.1 (\d{3})/.exec(line) ?? [];
    if (status === undefined) continue;
    answers.push({ status, synced });
    synced = false;
  }
  return answers;
}

/** Redirects, creates and edits one after the other, under the tracer. */
async function traced(durability: string) {
  const log = newPath();
  const calls = 'trace=fsync,fdatasync,sendto,sendmsg,write,writev';
  const server = launch(seeded.copyTo(newPath()), {
    env: { WAYMARK_DURABILITY: durability },
    through: tracing([calls], { log, flags: ['-y'] }),
  });
  expect(await server.listening).toBe(true);
  const api = createApi(server.origin, seeded.key);
  await api.read(code);
  const before = answersIn(readFileSync(log, 'utf8')).length;
  for (let turn = 0; turn < 50; turn++) await visit(`${server.origin}/${code}`);
  for (let turn = 0; turn < 10; turn++) await api.create(`https://example.org/${turn}`);
  for (let turn = 0; turn < 10; turn++)
    await api.call(`PATCH /qrs/${code}`, { url: `https://example.org/${turn}` });
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  return answersIn(readFileSync(log, 'utf8')).slice(before);
}

const asExpected = (synced: boolean): Answered[] => [
  ...Array.from({ length: 50 }, () => ({ status: '302', synced })),
  ...Array.from({ length: 10 }, () => ({ status: '201', synced })),
  ...Array.from({ length: 10 }, () => ({ status: '200', synced })),
];

test.skipIf(!canTrace)('with durability power, the log is synced before every answer', async () => {
  expect(await traced('power')).toEqual(asExpected(true));
});

// That the tracer would see it if it were not so.
test.skipIf(!canTrace)('with durability process it is not', async () => {
  const answers = await traced('process');
  expect(answers.map(({ status }) => status)).toEqual(asExpected(true).map(({ status }) => status));
  expect(answers.filter(({ synced }) => synced).length).toBeLessThan(10);
});

/** What a command told the system of a file or folder, in order: to sync it, or which name it takes. */
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
])('%s is synced before it has its name, and its folder afterwards', async (_, args, made) => {
  const folder = newPath();
  mkdirSync(folder);
  const data = seeded.copyTo(join(folder, 'data'));
  writeFileSync(join(folder, 'printed.db'), readFileSync(join(data, 'waymark.db')));
  const log = join(folder, 'trace');
  const traced = tracing(['trace=fsync,fdatasync,rename,renameat,renameat2'], {
    log,
    flags: ['-y'],
  });
  const child = Bun.spawn([...traced, ...programCommand(), ...args, '--data', data], {
    cwd: folder,
    env: programEnv(),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await child.exited).toBe(0);

  const target = join(folder, made);
  const steps = stepsIn(readFileSync(log, 'utf8'), folder);
  const named = steps.findIndex(({ newPath }) => newPath === target);
  expect(named).toBeGreaterThan(0);
  expect(steps.slice(0, named)).toContainEqual({ call: 'sync', path: steps[named]?.path ?? '' });
  expect(steps[named + 1]).toEqual({ call: 'sync', path: dirname(target) });
});
