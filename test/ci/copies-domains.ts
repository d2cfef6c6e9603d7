import { expect, test } from 'bun:test';
import { hasPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { withCopies } from './copies/copies.ts';

const brand = 'https://brand.example.org';

test.skipIf(!hasPostgres)(
  'copies follow the domains that a command adds, changes and removes, and count what they answered when they are killed',
  async () => {
    await withCopies(2, {}, async ({ copies, command, createKey, sql }) => {
      await createKey();
      const create = async (...args: string[]) => {
        const account = ['--account', 'copies@example.com', '--json'];
        return JSON.parse(await command('code', 'create', ...args, ...account));
      };
      const menu = await create('https://example.com/main', '--path', 'menu');
      let answered = 0;
      /** Where each copy leads, under a host. */
      const leads = (path: string, host: string) =>
        Promise.all(
          copies.map(async ({ origin }) => {
            const { status, to } = await visit(origin + path, { host });
            return to ?? status;
          }),
        );
      const both = (to: string | number) => copies.map(() => to);
      const ownHost = 'qr.example.com';
      const host = new URL(brand).host;
      const scan = async (path: string, at: string, to: string) => {
        expect(await leads(path, at)).toEqual(both(to));
        answered += copies.length;
      };

      await scan('/menu', ownHost, 'https://example.com/main');
      await command('domain', 'add', brand, '--front', 'https://example.com/front');
      await until(async () =>
        Bun.deepEquals(await leads('/', host), both('https://example.com/front')),
      );
      // Nothing is there under the new domain yet, so the path leads where it led.
      await scan('/menu', host, 'https://example.com/main');
      const own = await create('https://example.com/brand', '--path', 'menu', '--domain', brand);
      expect(own.url).toBe(`${brand}/${own.code}`);
      await scan('/menu', host, 'https://example.com/brand');
      await scan('/menu', ownHost, 'https://example.com/main');
      // Codes are found under every domain.
      await scan(`/${own.code}`, ownHost, 'https://example.com/brand');
      await scan(`/${menu.code}`, host, 'https://example.com/main');
      expect(await leads('/api/v1/qrs', host)).toEqual(both(404));

      await command('domain', 'set', brand, '--front', 'https://example.com/other');
      await until(async () =>
        Bun.deepEquals(await leads('/', host), both('https://example.com/other')),
      );

      await copies[0]?.kill();
      await copies[0]?.start();
      await scan('/menu', host, 'https://example.com/brand');
      await until(async () => {
        const [left] = await sql`SELECT count(*)::int AS hits FROM pending_hits`;
        const [counted] =
          await sql`SELECT coalesce(sum(scans), 0)::int AS scans FROM scan_counters`;
        expect(counted.scans).toBeLessThanOrEqual(answered);
        return left.hits === 0 && counted.scans === answered;
      });

      await command('domain', 'remove', brand, '--force');
      // The front page goes. What was printed leads on, as long as the host leads here.
      await until(async () => !(await leads('/', host)).includes('https://example.com/other'));
      expect(await leads('/menu', host)).toEqual(both('https://example.com/brand'));
      expect(await leads(`/${own.code}`, host)).toEqual(both('https://example.com/brand'));
    });
  },
  120_000,
);
