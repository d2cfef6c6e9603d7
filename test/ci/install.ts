import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocuments, type Documents } from '../../release/documents/documents.ts';
import { buildExecutable } from '../../release/executable.ts';
import { writeDeb } from '../../release/packages/deb.ts';
import { targets } from '../../release/targets.ts';
import { createApi } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled } from '../support/installed.ts';
import { createLoggedProcesses, type Env, outputOf, runCommand } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';

/** Installs Waymark as strangers do: the package, the executables of other machines, manual and completions. */

setDefaultTimeout(180_000);

// Earlier than every release, so that the package of this checkout is an upgrade.
const earlier = '0.0.1';
const { version: packageVersion } = await import('../../package.json');
// A manual page may not be of the future.
const seconds = 1_767_225_600;
const isX64 = process.platform === 'linux' && process.arch === 'x64';

let folder: string;
let documents: Documents;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-install-'));
  // The user of the service reads files of it.
  await chmod(folder, 0o755);
  documents = await createDocuments(packageVersion, seconds);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const optionsOf = (env: Env) => ({
  cwd: folder,
  env: { PATH: process.env['PATH'], HOME: folder, ...env },
  deadlineMs: 180_000,
});
const run = (command: readonly string[], env: Env = {}) => runCommand(command, optionsOf(env));
const succeed = (command: readonly string[]) => outputOf(command, optionsOf({}));

async function build(name: string, targetName: string, version?: string): Promise<string> {
  const outfile = join(folder, name);
  const target = targets.find((one) => one.name === targetName);
  await buildExecutable({ outfile, target, ...(version !== undefined && { version }) });
  return outfile;
}

const settingsFile = '/etc/waymark.env';
const dataFolder = '/var/lib/waymark';
// Never touches an installation that somebody uses.
const mayInstall =
  isX64 &&
  process.getuid?.() === 0 &&
  isInstalled('dpkg') &&
  !existsSync('/usr/bin/waymark') &&
  !existsSync(settingsFile) &&
  !existsSync(dataFolder);

describe.skipIf(!mayInstall)('the Debian package', () => {
  const packages: Record<string, string> = {};

  beforeAll(async () => {
    const out = join(folder, 'packages');
    await mkdir(out);
    for (const version of [earlier, packageVersion]) {
      const executable = await build(`waymark-${version}`, 'linux-x64', version);
      const work = await mkdtemp(join(folder, 'work-'));
      await writeDeb({ version, seconds, work, out }, documents, executable, 'amd64');
      packages[version] = join(out, `waymark_${version}_amd64.deb`);
    }
  });

  afterAll(async () => {
    service?.kill('SIGKILL');
    await run(['dpkg', '--purge', 'waymark']);
    await run(['userdel', 'waymark']);
    await rm(dataFolder, { recursive: true, force: true });
  });

  const port = freePort();
  const origin = `http://127.0.0.1:${port}`;
  let service: Bun.Subprocess | undefined;
  const processes = () => createLoggedProcesses(join(folder, 'service.log'));
  const log = () => processes().log();

  /** Starts the service as its unit says: command, user, settings. */
  async function startService() {
    const unit = await Bun.file('/usr/lib/systemd/system/waymark.service').text();
    const unitValue = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const settings = await Bun.file(unitValue('EnvironmentFile')).text();
    const lines = settings.split('\n').filter((line) => /^\w+=/.test(line));
    const user = [`--reuid=${unitValue('User')}`, `--regid=${unitValue('Group')}`];
    const started = ['env', '-i', ...lines, ...unitValue('ExecStart').split(' ')];
    const command = ['setpriv', ...user, '--clear-groups', ...started];
    service = processes().spawn(command, { cwd: '/', env: process.env });
    return service;
  }

  async function startHealthy() {
    const started = await startService();
    await until(async () => {
      if (started.exitCode !== null) throw new Error(log());
      return (await fetch(`${origin}/healthz`).catch(() => null))?.ok === true;
    });
  }

  let shortLink: string;

  test('installs user, data folder, unit and settings, and says what to do', async () => {
    const output = await succeed(['dpkg', '--install', packages[earlier] ?? '']);
    expect(output).toContain('Set WAYMARK_PUBLIC_URL in /etc/waymark.env');
    expect(await succeed(['waymark', 'version'])).toStartWith(`waymark ${earlier}\n`);
    expect(await succeed(['getent', 'passwd', 'waymark'])).toContain('/usr/sbin/nologin');
    expect((await stat(dataFolder)).mode & 0o777).toBe(0o700);
    expect((await stat(settingsFile)).mode & 0o777).toBe(0o600);
    expect(await succeed(['dpkg', '--verify', 'waymark'])).toBe('');
  });

  test('does not start before the public address is set', async () => {
    const started = await startService();
    expect(await started.exited).toBe(2);
    expect(log()).toContain('WAYMARK_PUBLIC_URL is "not-set-yet", but must be an address');
  });

  test('starts by the command of its unit, and redirects', async () => {
    const settings = await Bun.file(settingsFile).text();
    const edited = settings.replace('not-set-yet', `${origin}\nWAYMARK_PORT=${port}`);
    // Keeps the file's mode.
    await Bun.write(settingsFile, edited);
    await startHealthy();
    await succeed(['waymarkctl', 'account', 'create', 'a@example.org']);
    const key = await succeed(['waymarkctl', 'key', 'generate', 'a@example.org', '--json']);
    const qr = await createApi(origin, JSON.parse(key).key).create('https://example.org/printed');
    shortLink = qr.url;
    expect((await visit(shortLink)).to).toBe('https://example.org/printed');
  });

  test('is upgraded with settings and data', async () => {
    const edited = await Bun.file(settingsFile).text();
    await succeed(['dpkg', '--install', packages[packageVersion] ?? '']);
    expect(await Bun.file(settingsFile).text()).toBe(edited);
    // The running server goes on until it is restarted, which systemd does at once.
    expect((await visit(shortLink)).to).toBe('https://example.org/printed');
    service?.kill();
    await service?.exited;
    await startHealthy();
    await until(() => log().includes(`upgrade from ${earlier} to ${packageVersion}`));
    expect(await succeed(['waymarkctl', '--version'])).toStartWith(`waymark ${packageVersion}\n`);
    expect((await visit(shortLink)).to).toBe('https://example.org/printed');
    const doctor = await succeed(['waymarkctl', 'doctor']);
    expect(doctor).toContain('no integrity errors');
    service?.kill();
    await service?.exited;
  });

  test('is removed without settings and data, and a purge keeps the data', async () => {
    const data = async () => (await readdir(dataFolder)).sort();
    const before = await data();
    await succeed(['dpkg', '--remove', 'waymark']);
    expect(existsSync('/usr/bin/waymark')).toBe(false);
    expect(existsSync(settingsFile)).toBe(true);
    const output = await succeed(['dpkg', '--purge', 'waymark']);
    expect(output).toContain('/var/lib/waymark and the user waymark are kept');
    expect(existsSync(settingsFile)).toBe(false);
    expect(await data()).toEqual(before);
    expect(before).toContain('waymark.db');
  });
});

// Creates, draws, reads, redirects and counts a code.
const demo = ['demo', '--once', '--json'];
const counted = expect.stringContaining('"scans":1');

test.skipIf(!isX64 || !isInstalled('qemu-aarch64') || !existsSync('/usr/aarch64-linux-gnu/lib'))(
  'the executable for ARM creates a code and redirects, in an emulator',
  async () => {
    const executable = await build('waymark-arm64', 'linux-arm64');
    const emulated = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', executable];
    expect(await run([...emulated, ...demo])).toMatchObject({ exitCode: 0, stdout: counted });
  },
);

// Debian has musl, but no C++ library for it. The one for glibc needs a few symbols more, which this adds.
const glibcSymbols = `
typedef unsigned long size_t;
size_t strftime_l(char *, size_t, const char *, const void *, void *);
size_t __strftime_l(char *to, size_t size, const char *format, const void *time, void *locale) {
  return strftime_l(to, size, format, time, locale);
}
unsigned arc4random(void) { return 4; }
int __cxa_thread_atexit_impl(void (*f)(void *), void *object, void *library) { return 0; }
char __libc_single_threaded = 0;
int _dl_find_object(void *address, void *result) { return -1; }
int __cpu_indicator_init(void) { return 0; }
unsigned __cpu_model[64];
`;

test.skipIf(!isX64 || !existsSync('/lib/ld-musl-x86_64.so.1') || !isInstalled('gcc'))(
  'the executable for musl creates a code and redirects, with the C library of Alpine',
  async () => {
    const libraries = join(folder, 'musl');
    await mkdir(libraries);
    for (const name of ['libstdc++.so.6', 'libgcc_s.so.1'])
      await cp(`/usr/lib/x86_64-linux-gnu/${name}`, join(libraries, name), { dereference: true });
    const source = join(libraries, 'symbols.c');
    await Bun.write(source, glibcSymbols);
    const library = join(libraries, 'ld-linux-x86-64.so.2');
    await succeed(['gcc', '-shared', '-fPIC', '-nostdlib', '-o', library, source]);
    const executable = await build('waymark-musl', 'linux-x64-musl');
    const env = { LD_LIBRARY_PATH: libraries };
    expect(await run([executable, ...demo], env)).toMatchObject({ exitCode: 0, stdout: counted });
  },
);

describe('the manual', () => {
  const page = async () => {
    const path = join(folder, 'waymark.1');
    await Bun.write(path, documents.manual);
    return path;
  };

  test.skipIf(!isInstalled('man'))('is formatted by man without warnings', async () => {
    const { exitCode, stdout, stderr } = await run(['man', '--warnings', '-l', await page()], {
      LC_ALL: 'C.UTF-8',
      MANWIDTH: '80',
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('waymark account create <email>');
  });

  test.skipIf(!isInstalled('mandoc'))('has no fault for mandoc', async () => {
    const { exitCode, stdout } = await run(['mandoc', '-T', 'lint', '-W', 'style', await page()]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });
});

describe('the completion', () => {
  // Each shell has its own order.
  const offering = (...words: string[]) =>
    expect.stringMatching(new RegExp(words.map((word) => `(?=.*(?<!\\S)${word}(?!\\S))`).join('')));
  const tries =
    "try waymark ''; try waymark account ''; try waymark account create --; try waymark export --format ''";

  // Each script runs beside the three files.
  describe.each([
    {
      shell: ['bash', '--norc', '-c'],
      script: `source waymark.bash
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waymark; echo "\${COMPREPLY[*]}"; }
        complete -p waymark waymarkctl >/dev/null
        ${tries}`,
    },
    {
      shell: ['zsh', '-f', '-c'],
      script: `fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D
        # Outside of its editor, zsh offers nothing: these print what would be offered.
        _describe() { print -r -- \${\${(P)2}%%:*} }
        compadd() { print -r -- $* }
        try() { words=("$@"); CURRENT=$#; $_comps[waymarkctl] }
        ${tries}`,
    },
    {
      shell: ['fish', '--no-config', '-c'],
      script: `source waymark.fish
        for typed in 'waymark ' 'waymarkctl account ' 'waymark account create --' 'waymark export --format '
          echo (complete -C $typed | string split -f 1 \\t)
        end`,
    },
  ])('in $shell.0', ({ shell, script }) => {
    test.skipIf(!isInstalled(shell[0] ?? ''))('offers commands, options and values', async () => {
      await Bun.write(join(folder, 'waymark.bash'), documents.bash);
      await Bun.write(join(folder, 'functions/_waymark'), documents.zsh);
      await Bun.write(join(folder, 'waymark.fish'), documents.fish);
      const { exitCode, stdout, stderr } = await run([...shell, script]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout.trim().split('\n')).toEqual([
        offering('serve', 'account', 'version'),
        offering('create', 'list', 'password'),
        offering('--password-stdin', '--json', '--help'),
        offering('nginx', 'caddy', 'csv'),
      ]);
    });
  });
});
