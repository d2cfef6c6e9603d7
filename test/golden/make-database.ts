import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { version } from '../../package.json';
import { signedIn } from '../panel/client.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { readFacts, storedEnv } from './facts.ts';

/**
 * Writes a database of the current version with something of everything, and what a server tells about it:
 * bun test/golden/make-database.ts. Once a version is released, these files must not change: later versions
 * must open them.
 */

const folder = join(import.meta.dir, version);
await mkdir(folder, { recursive: true });
const server = await startServer(storedEnv);
try {
  const key = await fill(server);
  await server.stop();
  const backup = join(server.folder, 'backup.db');
  await cli('backup', backup);
  await writeCompressed('waymark.db.gz', await Bun.file(backup).bytes());
  if (hasPostgres) await dumpPostgres();
  await server.start();
  const facts = { key, ...(await readFacts(server, key)) };
  await Bun.write(join(folder, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
  console.log(`${folder}: ${facts.codes.length} codes`);
} finally {
  await server.close();
}

/** Creates something of everything. Returns the API key of the first account. */
async function fill({ origin }: Server): Promise<string> {
  const anna = await signedIn(server, 'anna@example.org', { isOperator: true });
  const csrf = await anna.csrf();
  await cli('account', 'create', 'bruno@example.org', '--plan-until', '2099-12-31');
  const { key } = JSON.parse(await cli('key', 'generate', 'anna@example.org', '--json'));
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const create = async (email: string, url: string, ...flags: string[]): Promise<string> => {
    const args = ['code', 'create', url, '--account', email, ...flags, '--json'];
    return JSON.parse(await cli(...args)).code;
  };

  await create('anna@example.org', 'https://example.org/plain');
  const logo = join(import.meta.dir, 'logo.png');
  const shapes = ['--module-shape', 'rounded', '--finder-shape', 'circle'];
  const colors = ['--foreground', '#1b3a57', '--finder-color', '#b3261e'];
  await cli('design', 'set', 'anna@example.org', '--logo', logo, ...colors, ...shapes);
  const menu = await create(
    'anna@example.org',
    'https://example.org/menu?lang=de&table=Z%C3%BCrich#top',
    ...['--name', 'Speisekarte', '--note', 'Tisch 4 — Fenster'],
  );
  const paused = await create('anna@example.org', 'https://example.org/paused');
  const blocked = await create('anna@example.org', 'https://example.org/blocked');
  await create('bruno@example.org', 'http://example.net/', '--folder', 'Schaufenster');
  await cli('code', 'set', menu, '--url', 'https://example.org/menu-2');
  await cli('code', 'pause', paused);
  await cli('safety', 'block-code', blocked, '--reason', 'A bank did not send it');
  await cli('safety', 'block', 'evil.example');

  const posted = await fetch(`${origin}/api/v1/qrs`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': 'stored-with-the-answer' },
    body: JSON.stringify({ url: 'https://example.org/by-api' }),
  });
  if (posted.status !== 201) throw new Error(await posted.text());

  const table = join(server.folder, 'table.csv');
  await Bun.write(
    table,
    'name,destination,note\nA,https://example.org/a,first\nB,https://example.org/b,\n',
  );
  await cli('code', 'import', table, '--account', 'anna@example.org');

  const links = join(server.folder, 'links.csv');
  const rows = ['Menu-7,https://example.org/7,Table 7,120', 'alt/Garten,https://example.org/8,,'];
  await Bun.write(links, ['path,destination,name,scans', ...rows].join('\n'));
  await cli('link', 'import', links, '--account', 'anna@example.org');

  const list = join(server.folder, 'list.txt');
  await Bun.write(list, 'phishing.example\n');
  await cli('safety', 'import', list, '--source', 'stored-list');

  const design = { csrf, do: 'save', foreground: '#7a1f5c', background: '#ffffff' };
  await redirected(anna.post('/account/design', { ...design, design_name: 'Bar' }));
  await create('anna@example.org', 'https://example.org/bar', '--design', 'Bar');
  const change = { do: 'replace', replaced: 'example.org/a', replacement: 'example.org/new-a' };
  const selection = { csrf, all: 'yes', q: 'example.org/a', ...change };
  await redirected(anna.post('/account/selection/apply', selection));

  for (const scans of [1, 2, 3]) await visit(`${origin}/${menu}?visit=${scans}`);
  await fetch(`${origin}/${menu}`, {
    headers: { 'User-Agent': 'Twitterbot/1.0' },
    redirect: 'manual',
  });
  // Aggregated scans and pending ones are stored differently.
  await until(async () => {
    const { scans } = JSON.parse(await cli('code', 'show', menu, '--json'));
    return scans === 3;
  });
  return key;
}

/** Copies the database to PostgreSQL and writes it as statements. */
async function dumpPostgres(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const url = await postgres.createDatabase();
    await cli('move', '--to', url);
    const command = ['pg_dump', '--no-owner', '--no-privileges', '--inserts', `--dbname=${url}`];
    const { success, stdout, stderr } = Bun.spawnSync(command);
    if (!success) throw new Error(stderr.toString());
    // Later versions of pg_dump write lines that psql of earlier ones does not know.
    const statements = stdout.toString().replaceAll(/^\\(un)?restrict .*\n/gm, '');
    await writeCompressed('waymark.sql.gz', new TextEncoder().encode(statements));
  } finally {
    await postgres.close();
  }
}

async function writeCompressed(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const part = join(folder, `${name}.part`);
  await Bun.write(part, Bun.gzipSync(bytes, { level: 9 }));
  await rm(join(folder, name), { force: true });
  await rename(part, join(folder, name));
}

async function cli(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await server.cli(args);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
  return stdout;
}

async function redirected(sent: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await sent;
  if (status !== 303) throw new Error(`${status} ${text}`);
}
