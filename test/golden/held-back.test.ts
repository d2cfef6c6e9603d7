import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decodeHits } from '../../src/core/scans/hit-entries.ts';
import { lock } from '../../src/redirect/sqlite/lock.ts';
import { createLaunches } from '../faults/launch.ts';
import { type Env, runProgram } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { type Facts, storedEnv } from './facts.ts';

/** Stored databases under a redirect server whose app has not migrated them yet. */

const { folderWith, launch } = createLaunches();
const visits = 3;

describe.each(['1.0.0', '1.1.0'])('before the app has migrated a database of %s', (version) => {
  /** Starts a server on the stored database whose app waits, and follows all links. */
  async function heldBack(env: Env = {}) {
    const stored = join(import.meta.dir, version);
    // make-database.ts wrote them.
    const facts = (await Bun.file(join(stored, 'facts.json')).json()) as Facts;
    const packed = await Bun.file(join(stored, 'waymark.db.gz')).bytes();
    const folder = folderWith(Bun.gunzipSync(packed));
    const before = logOf(folder);
    const release = lock(folder, 'app');
    const server = launch(folder, { env: { ...storedEnv, ...env } });
    await until(async () => (await visit(`${server.origin}/healthz`).catch(() => null)) !== null);
    for (const [code, answer] of Object.entries(facts.redirects))
      for (let turn = 0; turn < visits; turn++) {
        const { status, to } = await visit(`${server.origin}/${code}`);
        expect([code, `${status} ${to ?? ''}`]).toEqual([code, answer]);
      }
    const { status } = await visit(`${server.origin}/no-such-code`);
    expect(status).toBe(404);
    // Nothing has changed the schema so far.
    expect(logOf(folder)).toEqual(before);
    return { facts, folder, before, release, server };
  }

  test('codes, imported paths, paused and blocked codes are answered, and then counted once', async () => {
    const { facts, folder, release, server } = await heldBack();
    const health = await visit(`${server.origin}/healthz`);
    expect([health.status, health.body]).toEqual([503, expect.stringContaining('is starting')]);
    release();
    expect(await server.listening).toBe(true);
    const env = { ...storedEnv, WAYMARK_DATA: folder };
    const list = async (email: string) => {
      const args = ['code', 'list', '--account', email, '--limit', '100', '--json'];
      const { stdout } = await runProgram(args, { cwd: folder, env });
      return JSON.parse(stdout).data;
    };
    const codes = [...(await list('anna@example.org')), ...(await list('bruno@example.org'))];
    // The page of a paused or blocked code is no redirect.
    const expected = facts.codes.map(({ code, scans }) => ({
      code,
      scans: scans + (facts.redirects[code]?.startsWith('302') ? visits : 0),
    }));
    expect(codes.map(({ code, scans }) => ({ code, scans }))).toEqual(expected);
    await server.stop();
  });

  test('a refused upgrade leaves it to its version, with every hit', async () => {
    const { facts, folder, before, release, server } = await heldBack({
      WAYMARK_SHORT_URL: 'https://elsewhere.example.org',
    });
    release();
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain('Codes were printed with short links at');
    const redirects = Object.values(facts.redirects).filter((answer) => answer.startsWith('302'));
    const hits = before.hits + redirects.length * visits;
    expect(logOf(folder)).toEqual({ ...before, hits });
    expect(existsSync(join(folder, 'hits.db'))).toBe(false);
  });
});

/** Returns the version of the schema, and the hits that it has in its log or counted. */
function logOf(folder: string): { schema: number | undefined; hits: number } {
  const database = new Database(join(folder, 'waymark.db'), { readonly: true });
  const numberOf = (sql: string) => database.query<{ value: number }, []>(sql).get()?.value;
  const rows = database.query<{ hits: Uint8Array }, []>('SELECT hits FROM scan_log').all();
  const inLog = rows.reduce((sum, { hits }) => sum + (decodeHits(hits)?.length ?? 0) / 3, 0);
  const counted = numberOf('SELECT sum(scans) AS value FROM scan_counters') ?? 0;
  const schema = numberOf('SELECT user_version AS value FROM pragma_user_version');
  database.close();
  return { schema, hits: inLog + counted };
}
