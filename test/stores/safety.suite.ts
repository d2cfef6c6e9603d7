import { beforeEach, describe, expect, test } from 'bun:test';
import type { ListSource } from '../../src/core/safety/threat-lists.ts';
import { batchesOf } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

const hashOf = (number: number) => new Uint8Array(32).fill(number);

/** Tests of rules, threat lists and their sources, for every adapter. */
export function safetyStoresSuite({ name, stores, empty }: DatabaseUnderTest): void {
  const { rules, lists, sources } = stores;

  describe(`${name}: rules`, () => {
    beforeEach(empty);
    const rule = (expression: string, decision: 'allow' | 'block' = 'block') => ({
      expression,
      decision,
      addedAtMs: 5,
      note: 'why',
    });

    test('are found by expression, replaced, and listed in order', async () => {
      for (const expression of ['b.example/', 'a.example/', 'Z.example/'])
        await rules.put(rule(expression));
      await rules.put(rule('a.example/', 'allow'));
      expect((await rules.all()).map(({ expression }) => expression)).toEqual([
        'Z.example/',
        'a.example/',
        'b.example/',
      ]);
      expect(await rules.find(['a.example/', 'missing/'])).toEqual([rule('a.example/', 'allow')]);
      expect(await rules.find([])).toEqual([]);
      expect(await rules.remove('a.example/')).toBe(true);
      expect(await rules.remove('a.example/')).toBe(false);
    });

    test('have another revision after every change', async () => {
      const seen = [await rules.revision()];
      for (const change of [
        () => rules.put(rule('a/')),
        () => rules.put(rule('b/')),
        () => rules.put(rule('a/', 'allow')),
        () => rules.remove('b/'),
        () => rules.put(rule('b/')),
      ]) {
        await change();
        seen.push(await rules.revision());
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(await rules.revision()).toBe(seen.at(-1) ?? '');
    });
  });

  describe(`${name}: threat lists`, () => {
    beforeEach(empty);
    const list = (source: string, importedAtMs = 7) => ({ source, importedAtMs, origin: null });

    test('return every list of a hash in the order of the hashes', async () => {
      expect(await lists.all()).toEqual([]);
      expect(await lists.find([hashOf(1)])).toEqual([]);
      const first = batchesOf([hashOf(1), hashOf(2)], [hashOf(1)]);
      expect(await lists.replace(list('second'), first)).toBe(2);
      expect(await lists.replace(list('first', 9), batchesOf([hashOf(2)]))).toBe(1);
      expect(await lists.find([hashOf(3), hashOf(2), hashOf(1)])).toEqual([
        { source: 'first', importedAtMs: 9, index: 1 },
        { source: 'second', importedAtMs: 7, index: 1 },
        { source: 'second', importedAtMs: 7, index: 2 },
      ]);
      expect(await lists.all()).toEqual([
        { ...list('first', 9), entries: 1 },
        { ...list('second'), entries: 2 },
      ]);
    });

    test('stay in force when a replacement fails, and go when they are removed', async () => {
      await lists.replace(list('feed'), batchesOf([hashOf(1)]));
      async function* broken(): AsyncGenerator<Uint8Array[]> {
        yield [hashOf(2)];
        throw new Error('the download broke off');
      }
      await expect(lists.replace(list('feed', 8), broken())).rejects.toThrow('broke off');
      expect(await lists.find([hashOf(1), hashOf(2)])).toHaveLength(1);
      await lists.replace(list('feed', 8), batchesOf([hashOf(2)]));
      expect(await lists.find([hashOf(1), hashOf(2)])).toEqual([
        { source: 'feed', importedAtMs: 8, index: 1 },
      ]);
      expect(await lists.remove('feed')).toBe(true);
      expect(await lists.remove('feed')).toBe(false);
      expect(await lists.find([hashOf(2)])).toEqual([]);
    });
  });

  test(`${name}: sources keep their last update when their address changes`, async () => {
    await empty();
    const source: ListSource = { name: 'feed', url: 'https://feed.example/a', addedAtMs: 1 };
    await sources.put(source);
    const update = { name: 'feed', checkedAtMs: 2, outcome: 'failed', reason: 'why' } as const;
    await sources.recordUpdate(update);
    await sources.recordUpdate({ ...update, name: 'removed' });
    await sources.put({ ...source, url: 'https://feed.example/b' });
    expect(await sources.all()).toEqual([
      { ...source, url: 'https://feed.example/b', lastUpdate: update },
    ]);
    expect(await sources.remove('feed')).toBe(true);
    expect(await sources.remove('feed')).toBe(false);
  });
}
