import { expect } from 'bun:test';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvRecords } from '../../src/lib/csv.ts';
import { createApi } from '../support/api.ts';
import { type Env, runProgram } from '../support/program.ts';
import { type Server, startServer } from '../support/server.ts';

/** What a server tells about its database. Later versions may add fields, and must tell these alike. */
export interface Facts {
  readonly accounts: unknown;
  readonly designs: unknown;
  /** Of all accounts, as the command line lists them. */
  readonly codes: readonly ListedCode[];
  /** As the API lists the codes of the account with the key. */
  readonly records: readonly unknown[];
  readonly safety: unknown;
  /** All redirects, for another server. */
  readonly exported: string;
  /** Digests of the images by code; the status of what has none. */
  readonly images: Readonly<Record<string, string | number>>;
  /** Status and destination by code. */
  readonly redirects: Readonly<Record<string, string>>;
}

interface ListedCode {
  readonly code: string;
  readonly scans: number;
}

/** The settings of the server that wrote a stored database. Its links are printed. */
export const storedEnv = { WAYMARK_SHORT_URL: 'https://qr.example.com' };

const emails = ['anna@example.org', 'bruno@example.org'];

/** Asks a server for everything. Its codes are scanned once, after their scans are read. */
export async function readFacts(server: Server, key: string): Promise<Facts> {
  const printed = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await server.cli(args);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode}\n${stderr}`);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await printed(...args, '--json'));
  const perAccount = async (...args: string[]) =>
    Promise.all(emails.map((email) => json(...args.map((arg) => arg.replace('EMAIL', email)))));

  const lists = await perAccount('code', 'list', '--account', 'EMAIL', '--limit', '100');
  const codes: ListedCode[] = lists.flatMap(({ data }) => data);
  const api = createApi(server.origin, key);
  // Unchecked, since paths that another service printed are not codes.
  const { data } = JSON.parse((await api.call('GET /qrs?limit=100')).text);
  const images = await Promise.all(
    data.map(async ({ code }: ListedCode) => {
      const address = `GET /qrs/${encodeURIComponent(code)}`;
      const svg = await api.call(`${address}.svg`);
      const png = await api.call(`${address}.png?size=300`);
      return [code, svg.status === 200 ? digest(svg.bytes, png.bytes) : svg.status] as const;
    }),
  );
  const facts = {
    accounts: await perAccount('account', 'show', 'EMAIL'),
    designs: await perAccount('design', 'show', 'EMAIL'),
    codes,
    // The addresses of images are those of the server.
    records: data.map(({ png: _png, svg: _svg, ...record }: Record<string, unknown>) => record),
    safety: {
      rules: await json('safety', 'rules'),
      phishing: await json('safety', 'check', 'https://phishing.example/x'),
    },
    exported: await printed('export', '--format', 'csv'),
    images: Object.fromEntries(images),
  };
  const redirects = await Promise.all(
    codes.map(async ({ code }) => {
      const response = await fetch(`${server.origin}/${code}`, { redirect: 'manual' });
      return [code, `${response.status} ${response.headers.get('location') ?? ''}`] as const;
    }),
  );
  return { ...facts, redirects: Object.fromEntries(redirects) };
}

function digest(...images: Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const image of images) hash.update(image);
  return hash.digest('hex').slice(0, 32);
}

/**
 * Expects that a stored database is verified and exported before its upgrade, which changes nothing, and served
 * afterwards with the facts that are stored beside it.
 */
export async function expectStoredFacts(file: string, env: Env): Promise<void> {
  // make-database.ts wrote them.
  const { key, ...facts } = (await Bun.file(join(file, '../facts.json')).json()) as Facts & {
    key: string;
  };
  const run = (...args: string[]) => runProgram(args, { cwd: tmpdir(), env });
  const verified = await run('verify', '--all', '--json');
  expect(verified).toMatchObject({ exitCode: 0, stderr: '' });
  // Paths that another service printed have no image.
  const ownCodes = facts.codes.filter(({ code }) => /^[0-9a-z]{8}$/.test(code));
  expect(JSON.parse(verified.stdout)).toMatchObject({ checked: ownCodes.length });
  const exported = await run('export', '--format', 'csv');
  expect(exported.stdout.trim().split('\n')).toHaveLength(1 + facts.codes.length);
  const server = await startServer(env);
  try {
    expect(comparable(await readFacts(server, key))).toMatchObject(comparable(facts));
  } finally {
    await server.close();
  }
}

/** Returns facts with exported CSV as objects, since a later version may add columns. */
function comparable(facts: Partial<Facts>) {
  // The facts of 0.1.0 have none.
  if (facts.exported === undefined) return { ...facts };
  const [header, ...rows] = [...csvRecords(facts.exported.trim().replaceAll('\r\n', '\n'), ',')];
  const exported = rows.map((row) =>
    Object.fromEntries((header ?? []).map((column, index) => [column, row?.[index]])),
  );
  return { ...facts, exported };
}
