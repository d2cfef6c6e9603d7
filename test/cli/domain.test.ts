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
    'is listed, and removed, so that the server starts at the real one and still has its codes',
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
            `code create https://example.com/ --account ${email}`,
            at(shortUrl, { WAYMARK_SHORT_URL_ALIASES: `${local},${below}`, ...more }),
          ),
        );
      await json(`account create ${email}`, at(local));
      // Said before the code is made, which here is refused.
      const refused = await waymark(`code create ftp://example.com/ --account ${email}`, at(local));
      expect([refused.exitCode, refused.stderr]).toEqual([
        2,
        expect.stringContaining('until "waymark domain remove http://127.0.0.1:3000 --force"'),
      ]);
      const trial = [await create(local), await create(local, { WAYMARK_DENSE_LINKS: 'on' })];
      const other = await create(below);
      const printed = await create(real);
      const unreachable = { accounts: null, reachable: false, reason: expect.any(String) };
      expect(await json('domain list', at(real))).toEqual([
        { url: local, codes: 2, ...unreachable },
        { url: below, codes: 1, ...unreachable },
        { url: real, codes: 1, ...unreachable },
      ]);
      const rejections: readonly (readonly [string, string, Env?])[] = [
        [local, '2 codes printed with http://127.0.0.1:3000'],
        [`${real} --force`, 'main domain'],
        [`${local} --force`, 'WAYMARK_SHORT_URL_ALIASES', { WAYMARK_SHORT_URL_ALIASES: local }],
        ['http://localhost:1 --force', 'waymark domain list'],
      ];
      for (const [command, reason, more] of rejections)
        expect(await waymark(`domain remove ${command}`, at(real, more))).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining(reason),
        });
      expect(await json('domain list', at(real))).toHaveLength(3);

      const start = () => startServer({ WAYMARK_DATABASE_URL: undefined, ...at(real).env });
      expect(await start().catch(String)).toContain(`${local}, ${below}, but WAYMARK_SHORT_URL`);
      expect(await json('domain remove HTTP://127.1:03000/ --force', at(real))).toMatchObject({
        codes: 2,
      });
      await json(`domain remove ${below} --force`, at(real));
      expect(await json('domain list', at(real))).toEqual([
        { url: real, codes: 1, ...unreachable },
      ]);

      const server = await start();
      for (const { code } of [...trial, other, printed])
        expect((await visit(`${server.origin}/${code}`)).to).toBe('https://example.com/');
      await server.close();
    },
  );
});
