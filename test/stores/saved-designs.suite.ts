import { describe, expect, test } from 'bun:test';
import { plainDesign } from '../../src/core/designs/design.ts';
import { acting, addOwner, noon } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

/** Tests of saved and default designs, for every adapter. */
export function savedDesignsSuite({ name, stores }: DatabaseUnderTest): void {
  const { savedDesigns: saved, designs } = stores;
  const newAccount = async () => (await addOwner(stores)).accountId;
  const red = { ...plainDesign, foreground: '#990000' };
  const blue = { ...plainDesign, foreground: '#000099', logo: null };

  describe(`${name}: designs`, () => {
    test('saving a design leaves the default alone, and a name can be saved again', async () => {
      const account = await newAccount();
      const before = await designs.findDefault(account);
      const first = await saved.save(acting(account), 'Festival', red, 1);
      const second = await saved.save(acting(account), 'Festival', blue, 2);
      await saved.save(acting(account), 'Café', red, 3);
      expect(await designs.findDefault(account)).toEqual(before);
      expect((await saved.list(account)).map((one) => one.name)).toEqual(['Café', 'Festival']);
      expect(await saved.find(account, 'Festival')).toEqual({
        name: 'Festival',
        designId: second,
        savedAtMs: 2,
      });
      // Codes may use the earlier one.
      expect(await designs.find(first)).toEqual(red);
      expect(await designs.find(second)).toEqual(blue);
    });

    test('the hash of the sample PNG is recorded once', async () => {
      const { id } = await designs.findDefault(await newAccount());
      expect(await designs.pngHash(id)).toBeNull();
      for (const byte of [1, 2]) await designs.recordPngHash(id, new Uint8Array(32).fill(byte));
      expect([...((await designs.pngHash(id)) ?? [])]).toEqual(Array(32).fill(1));
    });

    test('a name changes unless the new one is taken', async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const id = await saved.save(acting(account), 'Old', red, 1);
      await saved.save(acting(account), 'Taken', blue, 2);
      await saved.save(acting(other), 'Free', blue, 2);
      expect(await saved.rename(acting(other), 'Old', 'New', noon)).toBe('missing');
      expect(await saved.rename(acting(account), 'Old', 'Taken', noon)).toBe('taken');
      expect(await saved.rename(acting(account), 'Old', 'Free', noon)).toBe('renamed');
      expect(await saved.find(account, 'Old')).toBeNull();
      expect((await saved.find(account, 'Free'))?.designId).toBe(id);
    });

    test("another account's names are not seen, and a name can be removed once", async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      await saved.save(acting(account), 'Mine', red, 1);
      expect(await saved.find(other, 'Mine')).toBeNull();
      expect(await saved.list(other)).toEqual([]);
      expect(await saved.remove(acting(other), 'Mine', noon)).toBe(false);
      expect(await saved.remove(acting(account), 'Mine', noon)).toBe(true);
      expect(await saved.remove(acting(account), 'Mine', noon)).toBe(false);
      expect(await saved.list(account)).toEqual([]);
    });

    test('an existing design of the account becomes the default, and no other', async () => {
      const [account, other] = [await newAccount(), await newAccount()];
      const id = await saved.save(acting(account), 'Red', red, 1);
      expect(await designs.setDefault(acting(other), id, noon)).toBe(false);
      expect(await designs.setDefault(acting(account), 987_654, noon)).toBe(false);
      expect(await designs.setDefault(acting(account), id, noon)).toBe(true);
      expect(await designs.findDefault(account)).toEqual({ id, design: red });
      const added = await designs.add(acting(account), blue, 2);
      expect(await designs.findDefault(account)).toEqual({ id: added, design: blue });
      expect((await designs.findDefault(other)).design).toEqual(plainDesign);
    });

    describe('pictures of the panel', () => {
      const { pictures } = stores;
      const limits = { expiredMs: 100, maxPictures: 3 };
      const digestOf = (byte: number) => byte.toString(16).padStart(64, '0');
      const keep = (accountId: number, byte: number, keptAtMs: number) => {
        const content = Uint8Array.of(byte);
        return pictures.keep({ accountId, digest: digestOf(byte), content, keptAtMs }, limits);
      };

      test('are found by their account until they expire', async () => {
        const [account, other] = [await newAccount(), await newAccount()];
        await keep(account, 1, 101);
        expect(await pictures.find(account, digestOf(1), 100)).toEqual(Uint8Array.of(1));
        expect(await pictures.find(account, digestOf(1), 101)).toBeNull();
        expect(await pictures.find(other, digestOf(1), 100)).toBeNull();
        await keep(account, 1, 300);
        expect(await pictures.find(account, digestOf(1), 299)).not.toBeNull();
      });

      test('are deleted when they are expired, or older than those that an account may have', async () => {
        const [account, other] = [await newAccount(), await newAccount()];
        await keep(account, 1, 50);
        await keep(other, 2, 101);
        for (const byte of [3, 4, 5, 6]) await keep(account, byte, 200 + byte);
        const found = async (owner: number, byte: number) =>
          (await pictures.find(owner, digestOf(byte), 0)) !== null;
        expect(await found(account, 1)).toBe(false);
        expect(await found(other, 2)).toBe(true);
        expect(await Promise.all([3, 4, 5, 6].map((byte) => found(account, byte)))).toEqual([
          ...[false, true, true, true],
        ]);
      });
    });
  });
}
