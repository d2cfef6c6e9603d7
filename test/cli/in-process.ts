import { spyOn } from 'bun:test';
import { createProgram } from '../../src/cli/program.ts';
import { type Env, type Outcome, programEnv } from '../support/program.ts';

/**
 * Commands that read or write the database and print some lines. All others need a process of their own: they read
 * standard input, write files or streams, lower their priority, or serve.
 */
const commands: Readonly<Record<string, readonly string[]>> = {
  account: [
    ...['list', 'show', 'plan', 'set', 'rename', 'delete', 'operator', 'link', 'identity'],
    ...['second-factor', 'people', 'invite', 'remove'],
  ],
  code: [
    'list',
    'show',
    'set',
    'pause',
    'resume',
    'archive',
    'unarchive',
    'plan',
    'plans',
    'unplan',
  ],
  domain: ['list', 'forget'],
  folder: ['list', 'rename', 'remove'],
  key: ['generate', 'list', 'revoke', 'show'],
};

/** What ends a command, in place of the process. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

const started = new Set<string>();
let last: Promise<unknown> = Promise.resolve();

/** Returns whether a command may run in this process, and has run in one of its own before. */
export function canRunHere(args: readonly string[]): boolean {
  const [noun = '', verb = ''] = args;
  if (commands[noun]?.includes(verb) !== true || args.includes('--password-stdin')) return false;
  const hasRun = started.has(`${noun} ${verb}`);
  started.add(`${noun} ${verb}`);
  return hasRun;
}

/** Runs a command in this process, after the one before. */
export function runHere(args: readonly string[], cwd: string, env: Env): Promise<Outcome> {
  const outcome = last.then(() => run(args, cwd, env));
  last = outcome.catch(() => {});
  return outcome;
}

async function run(args: readonly string[], cwd: string, env: Env): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  const before = { env: { ...process.env }, cwd: process.cwd(), umask: process.umask(0o077) };
  const { write } = Bun;
  const spies = [
    spyOn(console, 'error').mockImplementation((line: unknown) => {
      stderr += `${typeof line === 'string' ? line : Bun.inspect(line)}\n`;
    }),
    spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += String(text);
      return true;
    }),
    spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += String(text);
      return true;
    }),
    spyOn(Bun, 'write').mockImplementation(async (...given: unknown[]) => {
      if (given[0] !== Bun.stdout) return Reflect.apply(write, Bun, given);
      stdout += String(given[1]);
      return 0;
    }),
    spyOn(process, 'exit').mockImplementation((code) => {
      throw new Exit(Number(code));
    }),
  ];
  setEnv(programEnv(env));
  process.chdir(cwd);
  process.exitCode = 0;
  try {
    const program = await createProgram(noWorker, [args[0] ?? ''], args[1]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    process.exitCode = error.code;
  } finally {
    for (const spy of spies) spy.mockRestore();
    setEnv(before.env);
    process.chdir(before.cwd);
    process.umask(before.umask);
  }
  const exitCode = Number(process.exitCode);
  process.exitCode = 0;
  return { exitCode, stdout, stderr };
}

function noWorker(): never {
  throw new Error('a command that draws needs a process of its own');
}

function setEnv(env: Env): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
}
