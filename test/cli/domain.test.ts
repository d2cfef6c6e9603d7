import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import type { Env } from '../support/program.ts';
import { isCompleteRun } from '../support/sample.ts';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { createCommands } from './folder.ts';

const local = 'http://127.0.0.1:3000';
const below = `${local}/q`;
const real = 'https://qr.example.com';
const email = 'anna@example.com';

describe.each(['SQLite', 'PostgreSQL'])('an address of a trial, on %s', (database) => {
  test.skipIf(database === 'PostgreSQL' && !(hasPostgres && isCompleteRun))(
    'is listed, and forgotten with its codes, so that the server starts at the real one',
    async () => {
      const { folder, json, waymark } = createCommands();
      const base: Env =
        database === 'SQLite'
          ? { WAYMARK_DATA: join(folder, 'data') }
          : { WAYMARK_DATABASE_URL: await (await sharedPostgres()).createDatabase() };
      const at = (shortUrl: string, more: Env = {}) => ({
        env: { ...base, WAYMARK_SHORT_URL: shortUrl, ...more },
      });
      const create = async (shortUrl: string, more: Env = {}) =>
        Object(
          await json(
            `code create https://example.com/ --account ${email} --folder Trial`,
            at(shortUrl, { WAYMARK_SHORT_URL_ALIASES: `${local},${below}`, ...more }),
          ),
        );
      await json(`account create ${email}`, at(local));
      // Said before the code is made, which here is refused.
      const refused = await waymark(`code create ftp://example.com/ --account ${email}`, at(local));
      expect([refused.exitCode, refused.stderr]).toEqual([
        2,
        expect.stringContaining('until "waymark domain forget http://127.0.0.1:3000"'),
      ]);
      const trial = [await create(local), await create(local, { WAYMARK_DENSE_LINKS: 'on' })];
      const menu = join(folder, 'menu.csv');
      await Bun.write(menu, 'path,destination\nmenu-7,https://example.com/menu\n');
      await json(`link import ${menu} --account ${email}`, at(local));
      const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 16);
      const planned = `--at ${tomorrow} --url https://example.com/planned`;
      await json(`code plan ${trial[0].code} ${planned}`, at(local));
      await Bun.write(menu, 'path,destination\nmenu-8,https://example.com/menu\n');
      const links = 'http://localhost:4000';
      const aliases = { WAYMARK_SHORT_URL_ALIASES: local };
      await json(`link import ${menu} --account ${email}`, at(links, aliases));
      const other = await create(below);
      const printed = await create(real);
      const unreachable = { accounts: null, reachable: false, reason: expect.any(String) };
      expect(await json('domain list', at(real))).toEqual([
        { url: local, codes: 2, ...unreachable },
        { url: below, codes: 1, ...unreachable },
        // Of an imported link, which keeps no server from starting.
        { url: links, codes: 0, ...unreachable },
        { url: real, codes: 1, ...unreachable },
      ]);
      expect(await waymark(`domain forget ${links} --yes`, at(links))).toMatchObject({
        stdout: expect.stringContaining('Imported links stay: 1'),
      });
      await json(`domain forget ${links} --yes`, at(real));

      const asked = await waymark(`domain forget ${local}`, at(real));
      expect(asked).toMatchObject({
        exitCode: 1,
        stdout: expect.stringMatching(
          /^2 codes were created with http:\/\/127\.0\.0\.1:3000\. .*\nImported links stay, .*: 1\.\n$/,
        ),
        stderr: expect.stringContaining('Add --yes'),
      });
      expect(await waymark(`domain forget ${real} --yes`, at(real))).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('WAYMARK_SHORT_URL_ALIASES'),
      });
      expect(await waymark('domain forget http://localhost:1 --yes', at(real))).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('waymark domain list'),
      });
      expect(await json('domain list', at(real))).toHaveLength(3);

      expect(await json('domain forget HTTP://127.1:03000/ --yes', at(real))).toMatchObject({
        codes: 2,
      });
      for (const { code } of trial)
        expect(await json(`code show ${code}`, at(real))).toMatchObject({
          status: 'stopped',
          archived: true,
          destination: '',
          folder: null,
        });
      const exported = (await json('export', at(real))) as Record<string, unknown>[];
      for (const { planned_changes: plans } of exported) expect(plans ?? []).toEqual([]);
      for (const { code } of [other, printed])
        expect(await json(`code show ${code}`, at(real))).toMatchObject({ status: 'active' });
      // What another service has printed stays.
      for (const path of ['menu-7', 'menu-8'])
        expect(await json(`code show ${path}`, at(real))).toMatchObject({
          url: `${real}/${path}`,
          status: 'active',
        });
      expect(await json(`code list --account ${email}`, at(real))).toMatchObject({ total: 4 });
      await json(`domain forget ${below} --yes`, at(real));
      expect(await json('domain list', at(real))).toEqual([
        { url: real, codes: 3, ...unreachable },
      ]);

      const server = await startServer({ WAYMARK_DATABASE_URL: undefined, ...at(real).env });
      expect((await visit(`${server.origin}/${trial[0].code}`)).status).toBe(410);
      for (const path of [printed.code, 'menu-7'])
        expect((await visit(`${server.origin}/${path}`)).status).toBe(302);
      await server.close();
    },
  );
});

test('a forgotten address stays so in a backup, and a running server stops its codes at once', async () => {
  const server = await startServer();
  const { api } = await server.account(email);
  const create = async () => {
    const body = { url: 'https://example.com/' };
    return Object((await api.call('POST /qrs', body, { 'Idempotency-Key': 'one' })).json);
  };
  const { code } = await create();
  expect(await create()).toMatchObject({ code });
  expect((await visit(`${server.origin}/${code}`)).status).toBe(302);
  const [domain] = JSON.parse((await server.cli(['domain', 'list', '--json'])).stdout);
  await server.cli(['domain', 'forget', domain.url, '--yes']);
  expect((await visit(`${server.origin}/${code}`)).status).toBe(410);
  // The server goes on creating codes at it, also for a retry.
  const { code: next } = await create();
  expect((await visit(`${server.origin}/${next}`)).status).toBe(302);
  expect(JSON.parse((await server.cli(['domain', 'list', '--json'])).stdout)).toEqual([domain]);
  await server.cli(['domain', 'forget', domain.url, '--yes']);
  const file = join(server.folder, 'backup.db');
  await server.cli(['backup', file]);
  const env = await server.otherDatabase('restored');
  await server.cli(['restore', file], { env });
  expect((await server.cli(['domain', 'list', '--json'], { env })).stdout).toBe('[]\n');
  await server.close();
});
