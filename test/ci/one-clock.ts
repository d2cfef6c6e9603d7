import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { createApi } from '../support/api.ts';
import { hasPostgres } from '../support/postgres.ts';
import { outputOf, programCommand, programEnv } from '../support/program.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { withCopies } from './copies/copies.ts';

const [library] = existsSync('/usr/lib')
  ? [...new Glob('*/faketime/libfaketime.so.1').scanSync('/usr/lib')]
  : [];
// In CI on Linux it must be there: tests may not be skipped unseen.
const mayBeMissing = process.platform !== 'linux' || process.env['CI'] !== 'true';
const minute = 60_000;

const isNear = (instant: string | number | null, ms = Date.now()) =>
  Math.abs(new Date(instant ?? 0).getTime() - ms) < minute;

test.skipIf(!hasPostgres || (library === undefined && mayBeMissing))(
  'a copy and a command whose clocks are wrong use that of PostgreSQL, and say so',
  async () => {
    await withCopies(1, {}, async ({ copies, folder, databaseUrl, sql, newCopy, createKey }) => {
      const clock = join(folder, 'clock');
      const move = (minutes: number) =>
        writeFileSync(clock, `${minutes < 0 ? '-' : '+'}${Math.abs(minutes)}m`);
      move(10);
      const wrongClock = {
        LD_PRELOAD: join('/usr/lib', library ?? ''),
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
      };
      const key = await createKey();
      const [right] = copies;
      const wrong = newCopy(wrongClock);
      await wrong.start();
      const api = createApi(wrong.origin, key);
      /** Plans a change in SQL, since a time of the panel is a minute. */
      const plan = async (code: string, nextMs: number) => {
        await sql`
          INSERT INTO planned_changes
            (qr_id, account_id, action, destination, first_local, next_at, created_at)
          SELECT id, account_id, 'destination', 'https://example.com/planned',
            to_char(to_timestamp(${nextMs}::float8 / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI'), ${nextMs}, 0
          FROM qrs WHERE code = ${code}`;
      };
      const warning = async () => {
        const { warnings } = await (await fetch(`${wrong.origin}/healthz`)).json();
        return warnings.find((text: string) => text.includes("PostgreSQL's clock"));
      };

      for (const [minutes, direction] of [
        [10, 'ahead of'],
        [-10, 'behind'],
      ] as const) {
        move(minutes);
        await until(async () => (await warning())?.includes(direction) === true);
        expect(await warning()).toMatch(/^The clock of this machine is (599|600)\.\d s /);
        const metrics = await (await fetch(`${wrong.origin}/metrics`)).text();
        expect(metrics).toMatch(/waymark_health\{condition="clock_differs",[^}]*\} 1/);

        const { code, url, created_at } = await api.create();
        expect(isNear(created_at)).toBe(true);
        expect((await visit(`${wrong.origin}/${new URL(url).pathname.slice(1)}`)).status).toBe(302);
        expect(isNear((await api.read(code)).last_scan)).toBe(true);
      }

      // Only the wrong copy makes planned changes now.
      await right?.stop();
      for (const minutes of [10, -10]) {
        move(minutes);
        const [due, later] = [await api.create(), await api.create()];
        await plan(later.code, Date.now() + 5 * minute);
        await plan(due.code, Date.now() - 1000);
        await until(async () => (await api.read(due.code)).destination.endsWith('/planned'));
        expect((await api.read(later.code)).destination).not.toEndWith('/planned');
      }

      move(10);
      for (const command of ['create', 'link'])
        await outputOf([...programCommand(), 'account', command, 'late@example.com'], {
          cwd: folder,
          env: programEnv({ ...wrongClock, WAYMARK_DATABASE_URL: databaseUrl }),
        });
      const [account] =
        await sql`SELECT created_at AS at FROM accounts WHERE email = 'late@example.com'`;
      expect(isNear(Number(account.at))).toBe(true);
      const [link] = await sql`SELECT max(expires_at) AS at FROM sign_in_links`;
      expect(isNear(Number(link.at), Date.now() + 7 * 24 * 60 * minute)).toBe(true);
    });
  },
  120_000,
);
