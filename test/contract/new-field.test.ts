import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createPanelClient, type PanelClient, password } from '../panel/client.ts';
import { freePort } from '../support/free-port.ts';
import { createLoggedProcesses, programEnv, runCommand } from '../support/program.ts';
import { until } from '../support/until.ts';

// A copy of the source with one more label of codes: an entry of the table in core/codes/fields.ts, its words in the
// panel, and the columns.
const repository = resolve(import.meta.dir, '../..');
const entry = `shelf: {
    label: 'Shelf',
    headers: ['shelf', 'rack'],
    parse: (text) => parseLine(text, 'shelf'),
  },`;
const words = { 'labels.shelf': 'Shelf', 'labels.shelfHint': 'Where it hangs.' };
const columns = ['qrs', 'batch_rows'].map((table) => `ALTER TABLE ${table} ADD shelf text;`);

const email = 'anna@example.org';
let folder: string;
let origin: string;
let anna: PanelClient;
let end = async () => {};

async function waymark(...args: string[]): Promise<string> {
  const command = [process.execPath, join(folder, 'src/main.ts'), ...args];
  const env = programEnv({ WAYMARK_PUBLIC_URL: origin });
  const options = { cwd: folder, env, stdin: password };
  const { exitCode, stdout, stderr } = await runCommand(command, options);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-field-'));
  for (const part of ['src', 'release', 'drizzle', 'package.json', 'tsconfig.json', 'LICENSE'])
    await cp(join(repository, part), join(folder, part), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const fields = join(folder, 'src/core/codes/fields.ts');
  const table = 'export const labelFields = {';
  const source = await Bun.file(fields).text();
  expect(source).toContain(table);
  await Bun.write(fields, source.replace(table, `${table}\n  ${entry}`));
  const english = join(folder, 'src/languages/en.json');
  await Bun.write(english, JSON.stringify({ ...(await Bun.file(english).json()), ...words }));
  const compiled = await runCommand([process.execPath, join(folder, 'release/catalogue.ts')], {
    cwd: folder,
  });
  // The other languages are offered again when they have the words, too.
  expect(compiled).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('de lacks 2') });
  const journal = join(folder, 'drizzle/meta/_journal.json');
  const { entries, ...rest } = await Bun.file(journal).json();
  const step = { idx: entries.length, version: '6', when: 1, tag: '9999_shelf', breakpoints: true };
  await Bun.write(journal, JSON.stringify({ ...rest, entries: [...entries, step] }));
  await Bun.write(
    join(folder, 'drizzle/9999_shelf.sql'),
    columns.join('\n--> statement-breakpoint\n'),
  );

  const port = freePort();
  origin = `http://127.0.0.1:${port}`;
  await waymark('account', 'create', email, '--plan-until', '2099-12-31', '--password-stdin');
  const server = createLoggedProcesses(join(folder, 'server.log')).spawn(
    [process.execPath, join(folder, 'src/main.ts'), 'serve', '--port', String(port)],
    { cwd: folder, env: programEnv({ WAYMARK_PUBLIC_URL: origin }) },
  );
  end = async () => {
    server.kill('SIGKILL');
    await server.exited;
  };
  await until(async () => (await fetch(`${origin}/healthz`).catch(() => null))?.ok === true);
  anna = createPanelClient(origin);
  await anna.post('/account/sign-in', { email, password });
});

afterAll(async () => {
  await end();
  await rm(folder, { recursive: true, force: true });
});

const account = ['--account', email];

// The shelves begin with a letter that no code has, so that a search finds no code by chance.
describe('a field of codes that was added to the table of fields', () => {
  test('is set and shown by commands', async () => {
    const made = JSON.parse(
      await waymark('code', 'create', 'https://x.example/1', ...account, '--shelf', 'U1', '--json'),
    );
    expect(made).toMatchObject({ shelf: 'U1' });
    await waymark('code', 'set', made.code, '--shelf', 'U2');
    expect(await waymark('code', 'show', made.code)).toMatch(/^Shelf: +U2$/m);
    const listed = await waymark('code', 'list', ...account, '--search', 'u2');
    expect(listed).toContain(made.code);
    expect(listed).toContain('U2');
  });

  test('is a column of tables to create, imports and exports', async () => {
    const table = join(folder, 'codes.csv');
    await Bun.write(table, 'rack,url\nU3,https://x.example/3\n');
    await waymark('code', 'import', table, ...account);
    await Bun.write(table, 'path,destination,shelf\nold-path,https://x.example/4,U4\n');
    await waymark('link', 'import', table, ...account);
    const exported = await waymark('export');
    const [head = '', ...lines] = exported.trim().split('\r\n');
    const at = head.split(',').indexOf('shelf');
    expect(lines.map((line) => line.split(',')[at]).sort()).toEqual(['U2', 'U3', 'U4']);
    const archive = join(folder, 'codes.zip');
    await waymark('code', 'download', ...account, '--format', 'svg', '--out', archive);
    const zip = await Bun.file(archive).text();
    expect(zip).toMatch(/file,name,.*shelf/);
    expect(zip).toContain(',U4,');
  });

  test('is in list, search, page, form, table and CSV of the panel', async () => {
    const list = (await anna.get('/account/codes')).text;
    for (const shelf of ['U2', 'U3', 'U4']) expect(list).toContain(`>${shelf}<`);
    expect((await anna.get('/account/codes?q=U3')).text).not.toContain('>U4<');
    const code = '/account/codes/old-path';
    expect((await anna.get(`${code}/labels`)).text).toMatch(
      /<label for="shelf">Shelf<.*value="U4"/s,
    );
    expect((await anna.get(code)).text).toContain('>U4<');
    const csrf = await anna.csrf();
    await anna.post(`${code}/labels`, { csrf, name: '', note: '', folder: '', shelf: 'U5' });
    expect((await anna.get(`${code}/labels`)).text).toContain('value="U5"');
    const [head = '', ...lines] = (await anna.get('/account/codes.csv')).text.split('\r\n');
    const at = head.split(',').indexOf('shelf');
    expect(lines.map((line) => line.split(',')[at])).toContain('U5');
    expect((await anna.get('/account/new')).text).toContain('Shelf<span class="optional">');
    await anna.post('/account/codes', { csrf, url: 'https://x.example/7', shelf: 'U7' });
    const [, copied = ''] =
      /codes\/([0-9a-z]{8})/.exec((await anna.get('/account/codes?q=U7')).text) ?? [];
    expect((await anna.get(`/account/codes/${copied}`)).text).toMatch(
      /name="shelf" value="U7".*Duplicate/s,
    );
    const { to, text } = await anna.post('/account/batches', {
      csrf,
      table: 'url,shelf\nhttps://x.example/6,U6',
    });
    expect(text).not.toContain('problem');
    expect((await anna.get(to ?? '')).text).toMatch(/<th scope="col">Shelf<.*<bdi>U6</s);
  });
});
