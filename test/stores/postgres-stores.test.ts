import { afterAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { createStorage } from '../../src/compose/storage.ts';
import { OutcomeUnknown, StoreUnavailable } from '../../src/core/errors.ts';
import type { CommandStorage } from '../../src/core/storage.ts';
import { startFlakyProxy } from '../support/flaky-proxy.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { accountStoresSuite } from './accounts.suite.ts';
import { codeConflictsSuite } from './code-conflicts.suite.ts';
import { conflictsSuite } from './conflicts.suite.ts';
import { flagStoreSuite } from './flags.suite.ts';
import { hostileTextSuite } from './hostile-text.suite.ts';
import { safetyStoresSuite } from './safety.suite.ts';

if (!hasPostgres) test.skip('PostgreSQL is not installed', () => {});
else {
  const postgres = await startPostgres();
  const opened: CommandStorage[] = [];
  const connect = async (databaseUrl: string) => {
    const storage = await createStorage({ data: './data', databaseUrl });
    const stores = await storage.openForCommand({ create: true });
    opened.push(stores);
    return stores;
  };
  afterAll(async () => {
    await Promise.all(opened.map((stores) => stores.close()));
    await postgres.close();
  });
  // Copied for each test, which takes a tenth of creating the tables.
  const template = await postgres.createDatabase();
  await (await connect(template)).close();
  const open = async () => connect(await postgres.createDatabase(template));

  accountStoresSuite('postgres', open);
  flagStoreSuite('postgres', open);
  safetyStoresSuite('postgres', open);

  hostileTextSuite('postgres', open);
  const two = async () => {
    const url = await postgres.createDatabase(template);
    return [await connect(url), await connect(url)] as const;
  };
  conflictsSuite('postgres', two);
  codeConflictsSuite('postgres', two);

  describe('two copies', () => {
    test('see each key and plan of the other at the next call', async () => {
      const [one, other] = await two();
      const account = await one.accounts.create({
        email: 'a@example.com',
        isOperator: false,
        planUntilMs: null,
        passwordHash: null,
        atMs: 0,
      });
      if (account === 'taken') throw new Error('the address is taken');
      await one.keys.replace(account.id, 'first', 'irst', 1);
      expect((await other.keys.findOwner('first', 1))?.account.id).toBe(account.id);
      await other.accounts.changePlan(account.id, 5);
      expect((await one.keys.findOwner('first', 1))?.account.planUntilMs).toBe(5);
      await one.keys.replace(account.id, 'second', 'cond', 2);
      expect(await other.keys.findOwner('first', 1)).toBeNull();
    });
  });

  test('a change whose connection is lost is reported as it is: undone before the commit, open during it', async () => {
    const proxy = await startFlakyProxy(postgres);
    const url = await postgres.createDatabase(template);
    const direct = await connect(url);
    const cutOff = await connect(Object.assign(new URL(url), { port: String(proxy.port) }).href);
    await postgres.run(
      url,
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
       INSERT INTO accounts (email, created_at) VALUES ('a@example.com', 0);
       INSERT INTO designs (account_id, settings, created_at) VALUES (1, '{}', 0);
       INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
         VALUES ('00000001', 1, 1, '', 'https://example.com/', 0, '')`,
    );
    const isSleeping = async () => {
      const rows =
        await sql`SELECT FROM pg_stat_activity WHERE datname = ${new URL(url).pathname.slice(1)}
        AND wait_event = 'PgSleep'`;
      return rows.length > 0;
    };
    const sql = new SQL(postgres.url);
    const destination = async () => (await direct.qrs.find(1, '00000001'))?.destination;
    const errors: unknown[] = [];
    for (const timing of ['', 'DEFERRABLE INITIALLY DEFERRED']) {
      await postgres.run(
        url,
        `DROP TRIGGER IF EXISTS slow ON qrs;
         CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON qrs ${timing} FOR EACH ROW EXECUTE FUNCTION slow()`,
      );
      const changed = cutOff.qrs
        .changeDestination(1, '00000001', `https://example.com/${errors.length}`, 0)
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
    await sql.close();
    proxy.close();
  });

  test('while PostgreSQL is away stores are unavailable, and afterwards they go on', async () => {
    const stores = await open();
    await postgres.stop();
    await expect(stores.accounts.search('')).rejects.toBeInstanceOf(StoreUnavailable);
    await postgres.start();
    expect(await stores.accounts.search('')).toEqual({ accounts: [], total: 0 });
  });
}
