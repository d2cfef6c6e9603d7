import { afterAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { createStorage } from '../../src/compose/storage.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../src/core/errors.ts';
import type { CommandStorage } from '../../src/core/storage.ts';
import { startFlakyProxy } from '../support/flaky-proxy.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { isCompleteRun } from '../support/sample.ts';
import { until } from '../support/until.ts';
import { acting, addOwner, command, newQr, noon } from './rows.ts';
import { hour } from './scans.ts';
import { deleteAll, storeSuites } from './suites.ts';

if (!hasPostgres || !isCompleteRun)
  test.skip('only in a complete run, with PostgreSQL installed', () => {});
else {
  const postgres = await sharedPostgres();
  const opened: CommandStorage[] = [];
  const connect = async (databaseUrl: string) => {
    const storage = await createStorage({ data: './data', databaseUrl });
    const stores = await storage.openForCommand({ create: true });
    opened.push(stores);
    return stores;
  };
  afterAll(async () => {
    await sql.close();
    await Promise.all(opened.map((stores) => stores.close()));
  });
  const url = await postgres.createDatabase();
  const connectThroughProxy = async () => {
    const { hostname, port } = new URL(url);
    const proxy = await startFlakyProxy({ host: hostname, port: Number(port) });
    const through = Object.assign(new URL(url), { port: String(proxy.port) });
    return { proxy, cutOff: await connect(through.href) };
  };
  const [stores, others] = [await connect(url), await connect(url)];
  const sql = new SQL(url, { max: 1 });

  const empty = async () => {
    await sql.unsafe(`SET session_replication_role = replica; ${deleteAll.join(';')}`);
  };
  storeSuites({
    name: 'postgres',
    stores,
    others,
    empty,
    addScans: async (qrId, timesMs) => {
      const lastMs = timesMs.at(-1);
      if (lastMs === undefined) return;
      const startOfHour = (ms: number) => Math.floor(ms / hour) * hour;
      const earlier = timesMs.map(startOfHour).filter((ms) => ms !== startOfHour(lastMs));
      await sql`UPDATE scan_counters SET scans = ${timesMs.length}, last_scan = ${lastMs},
        last_hour = ${startOfHour(lastMs)}, scans_in_hour = ${timesMs.length - earlier.length} WHERE qr_id = ${qrId}`;
      for (const ms of new Set(earlier)) {
        const scans = earlier.filter((other) => other === ms).length;
        await sql`INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (${qrId}, ${ms}, ${scans})`;
      }
    },
    countKeys: async () => Number((await sql`SELECT count(*) AS n FROM idempotency_keys`)[0].n),
  });

  test('copies see each key and plan of the other at the next call', async () => {
    const { accountId } = await addOwner(stores);
    await stores.keys.replace(acting(accountId), 'first', 'irst', 1);
    expect((await others.keys.findOwner('first', 1))?.account.id).toBe(accountId);
    await others.accounts.changePlan(acting(accountId), 5, noon);
    expect((await stores.keys.findOwner('first', 1))?.account.planUntilMs).toBe(5);
    await stores.keys.replace(acting(accountId), 'second', 'cond', 2);
    expect(await others.keys.findOwner('first', 1)).toBeNull();
  });

  test('a change whose connection is lost is reported as it is: undone before the commit, open during it', async () => {
    const { proxy, cutOff } = await connectThroughProxy();
    await postgres.run(
      url,
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$`,
    );
    const isSleeping = async () => {
      const rows =
        await sql`SELECT FROM pg_stat_activity WHERE datname = ${new URL(url).pathname.slice(1)}
        AND wait_event = 'PgSleep'`;
      return rows.length > 0;
    };
    const qr = newQr(await addOwner(stores));
    await stores.qrs.insert(qr, null, command);
    const destination = async () => (await stores.qrs.find(qr.accountId, qr.code))?.destination;
    const errors: unknown[] = [];
    for (const timing of ['', 'DEFERRABLE INITIALLY DEFERRED']) {
      await postgres.run(
        url,
        `DROP TRIGGER IF EXISTS slow ON qrs;
         CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON qrs ${timing} FOR EACH ROW EXECUTE FUNCTION slow()`,
      );
      const changed = cutOff.qrs
        .changeDestination(acting(qr.accountId), qr.code, `https://example.com/${errors.length}`, 0)
        .catch((error: unknown) => error);
      await until(isSleeping);
      proxy.cut();
      errors.push(await changed);
      await until(async () => !(await isSleeping()));
    }
    expect(errors[0]).toBeInstanceOf(StoreUnavailable);
    expect(errors[0]).not.toBeInstanceOf(OutcomeUnknown);
    expect(errors[1]).toBeInstanceOf(OutcomeUnknown);
    await until(async () => (await destination()) === 'https://example.com/1');
    await postgres.run(url, 'DROP TRIGGER slow ON qrs');
    proxy.close();
  });

  test('while PostgreSQL is away stores are unavailable, and afterwards they go on', async () => {
    await empty();
    const { proxy, cutOff } = await connectThroughProxy();
    proxy.cut(true);
    await expect(cutOff.accounts.search('')).rejects.toBeInstanceOf(StoreUnavailable);
    proxy.restore();
    expect(await cutOff.accounts.search('')).toEqual({ accounts: [], total: 0 });
    proxy.close();
  });
}
