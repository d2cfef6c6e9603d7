import { afterAll, expect, test } from 'bun:test';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examples, firstExamples } from '../../src/cli/help/examples.ts';
import { freePort } from '../support/free-port.ts';
import { programCommand, programEnv, runCommand } from '../support/program.ts';
import { isCompleteRun } from '../support/sample.ts';
import { xlsx } from '../support/spreadsheets.ts';

const root = join(import.meta.dir, '../..');

/** Command lines in the blocks of documents, and those with options in their text. */
const documented = ['README.md', ...globSync('docs/*.md', { cwd: root })].flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const blocks = text.matchAll(
    /^ *(?:docker compose (?:exec (?:-T )?waymark \S*|run (?:--\S+ )*)|podman run --rm .* \S*\/)?waymark(?:ctl)? ([a-z].*)$/gm,
  );
  const inline = text.matchAll(/`waymark(?:ctl)? ([^`A-Z…[|$]+ --[^`A-Z…[|$]+)`/g);
  return [...blocks, ...inline].map(([, line = '']) => line.replace(/ +# .*/, ''));
});

/** Returns a line without freely chosen names and `--json`, which every command has. */
const shapeOf = (line: string) =>
  line
    .replace(' --json', '')
    .replaceAll(/\S+@\S+|(['"]).*?\1|\b(0a1b2c3d|7h3k9m2x)\b|[\w./-]+(?=\.[a-z]{2,})/g, '…')
    .replace(/^demo --once$/, 'demo');

/** One line of each shape, in the order in which they make sense: accounts are created before they are used. */
const lines = [...examples, ...firstExamples, ...(isCompleteRun ? documented : [])].filter(
  (line, at, all) => all.findIndex((other) => shapeOf(other) === shapeOf(line)) === at,
);

/** Lines that cannot succeed here, and what they say. */
const refused: readonly (readonly [line: RegExp, reason: RegExp])[] = [
  [/^serve/, /data folder .*(a file, not a folder|exists already)/],
  [/^health/, /server/],

  [/^account create you@example\.com --operator$/, /already an account/],
  [/^account delete \S+$/, /Add --yes/],
  [/^domain remove http:/, /main domain/],
  [/^restore \/var/, /Add --force/],
  [/^(?:restore|verify) .*\/(waymark-2026.*|replica)\.db$/, /No such file|not found|no file/i],
  [/^move --to postgres/, /database waymark on localhost/],
  [/^move --to \/var/, /WAYMARK_DATABASE_URL names no database/],
  [/--design Festival/, /no saved design named "Festival"/],
  [/--search museum/, /No codes .* were found/],
];

const folder = mkdtempSync(join(tmpdir(), 'waymark-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

mkdirSync(join(folder, 'backups'));
copyFileSync(join(root, 'test/golden/logo.png'), join(folder, 'logo.png'));
const files: Readonly<Record<string, string | Uint8Array>> = {
  'password.txt': 'correct horse battery staple\n',
  'codes.csv': 'name,destination\nTable 1,https://example.com/1\n',
  'tables.csv': 'name,destination\nTable 2,https://example.com/2\n',
  'tables.xlsx': xlsx([
    { name: 'Indoors', rows: [] },
    {
      name: 'Terrace',
      rows: [
        ['name', 'destination'],
        ['Table 3', 'example.com/3'],
      ],
    },
  ]),
  'shop.csv': 'SKU,Product,Photo,Product page\n1,Cup,https://a.example/1.png,https://a.example/1\n',
  'links.csv': 'keyword,url\nspring,https://example.com/spring\n',
  'export.csv': 'keyword,url\nsummer,https://example.com/summer\n',
  'list.txt': 'phishing.example\n',
  'a-file': '',
};
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);

/** Runs a line in a shell. */
function run(line: string) {
  const script = `waymark() { ${programCommand().join(' ')} "$@"; }; waymark ${line}`;
  const env = programEnv({
    WAYMARK_DATA: join(folder, 'data'),
    // At the usual one another server may run.
    ...(line.startsWith('health') && { WAYMARK_PORT: String(freePort()) }),
    // A provider that does not exist, and is not asked.
    ...(line.includes('--subject') && {
      WAYMARK_OIDC_ISSUER: 'https://login.example.com',
      WAYMARK_OIDC_CLIENT_ID: 'waymark',
      WAYMARK_OIDC_CLIENT_SECRET: 'secret',
    }),
  });
  return runCommand(['sh', '-c', script], { cwd: folder, env });
}

/** The code that the first example of `code create` creates. */
let code = '';

/** Returns a line with files and a code that exist here, and with an end where it starts a server; removes its output. */
function localized(line: string): string {
  const [, output] = /--out (\S+)/.exec(line) ?? [];
  if (output !== undefined) rmSync(join(folder, output), { force: true });
  return line
    .replace(/^serve\b.*/, '$& --data a-file')
    .replace(/^demo$/, 'demo --once')
    .replace(/\b(0a1b2c3d|7h3k9m2x)\b/, code)
    .replaceAll(/\/(var\/backups\/waymark|var\/lib|data|backups)\b/g, join(folder, 'backups'));
}

test.each(lines)('waymark %s', async (line) => {
  const outcome = await run(localized(line));
  if (line.startsWith('code create')) code ||= /\/([0-9a-z]{8})\b/.exec(outcome.stdout)?.[1] ?? '';
  const reason = refused.find(([refusedLine]) => refusedLine.test(line))?.[1];
  if (reason === undefined) expect(outcome).toMatchObject({ exitCode: 0 });
  else expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(reason) });
});
