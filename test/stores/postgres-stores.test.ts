import { afterAll, describe, expect, test } from 'bun:test';
import { createStorage } from '../../src/compose/storage.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import type { CommandStorage } from '../../src/core/storage.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { accountStoresSuite } from './accounts.suite.ts';
import { flagStoreSuite } from './flags.suite.ts';
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

  describe('two copies', () => {
    const two = async () => {
      const url = await postgres.createDatabase(template);
      return [await connect(url), await connect(url)] as const;
    };

    test('redeem a link once, however close together', async () => {
      const [one, other] = await two();
      await one.signInLinks.add('link', null, 10);
      const redeem = ({ signInLinks }: CommandStorage, name: string) =>
        signInLinks.redeem('link', `${name}@example.com`, 'hash', {
          sessionHash: name,
          trustedBrowserHash: name,
          atMs: 1,
        });
      const redeemed = await Promise.all([redeem(one, 'a'), redeem(other, 'b')]);
      expect(redeemed.filter((account) => account !== null)).toHaveLength(1);
      expect((await one.accounts.search('')).total).toBe(1);
    });

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
      expect((await other.keys.findAccount('first'))?.id).toBe(account.id);
      await other.accounts.changePlan(account.id, 5);
      expect((await one.keys.findAccount('first'))?.planUntilMs).toBe(5);
      await one.keys.replace(account.id, 'second', 'cond', 2);
      expect(await other.keys.findAccount('first')).toBeNull();
    });
  });

  test('while PostgreSQL is away stores are unavailable, and afterwards they go on', async () => {
    const stores = await open();
    await postgres.stop();
    await expect(stores.accounts.search('')).rejects.toBeInstanceOf(StoreUnavailable);
    await postgres.start();
    expect(await stores.accounts.search('')).toEqual({ accounts: [], total: 0 });
  });
}
