import { afterAll, expect, test } from 'bun:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openLocalList } from '../../src/reputation/lists/local-list.ts';
import { allow, block, listRules, remove } from '../../src/reputation/rules.ts';
import { decidedBy } from './decided-by.ts';
import { freshFolder, importText, nowMs, removeFolders } from './folder.ts';

afterAll(removeFolders);

test('the operator may block a whole top-level domain; a list may not', async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  await importText(folder, 'test', 'http://top/');
  await block(folder, '*.zip', { nowMs });
  expect(await decidedBy(local, 'https://a.b.zip/x?y')).toBe('block by operator: zip/');
  expect(await decidedBy(local, 'http://zip/')).toBe('block by operator: zip/');
  expect(await decidedBy(local, 'http://zip.example/')).toBeNull();
  expect(await decidedBy(local, 'http://a.top/')).toBeNull();
  await allow(folder, 'good.zip', { nowMs });
  expect(await decidedBy(local, 'http://x.good.zip/')).toBe('allow by operator: good.zip/');
  expect(await remove(folder, 'zip')).toBe(true);
});

test.each(['com', 'COM.', '.com', 'http://com/', 'localhost'])(
  'the operator does not mean a whole top-level domain by %p',
  async (text) => {
    const folder = await freshFolder();
    const name = text === 'localhost' ? 'localhost' : 'com';
    for (const decide of [block, allow])
      expect(() => decide(folder, text, { nowMs })).toThrow(
        `alone stands for every address that ends in .${name}. Give a domain, such as evil.${name}, or write *.${name} if`,
      );
    expect((await listRules(folder)).rules).toEqual([]);
  },
);

test('the operator decides about addresses, in every spelling that a list may have', async () => {
  const folder = await freshFolder();
  for (const text of ['203.0.113.7', 'http://0x7f.1/', '[2001:db8::1]', 'http://com/menu'])
    await block(folder, text, { nowMs });
  expect((await listRules(folder)).rules.map(({ expression }) => expression)).toEqual([
    '127.0.0.1/',
    '203.0.113.7/',
    '[2001:db8::1]/',
    'com/menu',
  ]);
  expect(() => block(folder, '127', { nowMs })).toThrow('neither a domain nor a URL');
});

test('this server itself cannot be decided about, but what lies beside it can', async () => {
  const folder = await freshFolder();
  const how = { nowMs, ownBases: ['https://qr.example.com', 'https://example.org/q'] };
  for (const text of [
    'qr.example.com',
    'https://QR.example.com./',
    'http://qr.example.com:8080/',
    'example.org',
    'https://example.org/q/',
  ])
    expect(() => block(folder, text, how)).toThrow('is this server itself');
  expect(() => allow(folder, 'qr.example.com', how)).toThrow('is this server itself');
  for (const text of ['example.com', 'other.example.com', 'https://example.org/shop/'])
    await block(folder, text, how);
  expect((await listRules(folder)).rules).toHaveLength(3);
});

test("the operator's rules win over lists, the more specific over the less", async () => {
  const folder = await freshFolder();
  const local = openLocalList(folder);
  await importText(folder, 'test', 'evil.example\nshared.example');
  await allow(folder, 'https://Shared.example', { nowMs, note: 'our own' });
  await block(folder, 'bad.shared.example', { nowMs });
  await block(folder, 'https://shared.example/phish/', { nowMs });
  await allow(folder, 'testsafebrowsing.appspot.com', { nowMs });
  expect(await decidedBy(local, 'http://evil.example')).toBe('block by test: evil.example/');
  expect(await decidedBy(local, 'http://a.shared.example')).toBe(
    'allow by operator: shared.example/',
  );
  expect(await decidedBy(local, 'http://x.bad.shared.example')).toBe(
    'block by operator: bad.shared.example/',
  );
  expect(await decidedBy(local, 'http://shared.example/phish/1')).toBe(
    'block by operator: shared.example/phish/',
  );
  expect(await decidedBy(local, 'http://testsafebrowsing.appspot.com/s/malware.html')).toStartWith(
    'allow by operator',
  );
  expect(await remove(folder, 'SHARED.example.')).toBe(true);
  expect(await remove(folder, 'shared.example')).toBe(false);
  expect(await decidedBy(local, 'http://a.shared.example')).toBe('block by test: shared.example/');
  await allow(folder, 'bad.shared.example', { nowMs: nowMs + 1, note: 'mended' });
  const { rules } = await listRules(folder);
  expect(rules).toEqual([
    { decision: 'allow', expression: 'bad.shared.example/', addedAtMs: nowMs + 1, note: 'mended' },
    { decision: 'block', expression: 'shared.example/phish/', addedAtMs: nowMs, note: '' },
    { decision: 'allow', expression: 'testsafebrowsing.appspot.com/', addedAtMs: nowMs, note: '' },
  ]);
  expect(local.status()).toMatchObject({ allowed: 1, blocked: 2 });
  expect(() => block(folder, 'two words', { nowMs })).toThrow('neither a domain nor a URL');
  expect(() => block(folder, '10.0.0.0/8', { nowMs })).toThrow('is a network');
});

test('rules added at once by several are all kept, and a damaged one is told', async () => {
  const folder = await freshFolder();
  const names = Array.from({ length: 20 }, (_, index) => `n${index}.example`);
  await Promise.all(names.map((name) => block(folder, name, { nowMs })));
  expect((await listRules(folder)).rules).toHaveLength(20);
  await writeFile(join(folder, 'entries', 'half.json'), '{"decision": "blo');
  const local = openLocalList(folder);
  expect(await decidedBy(local, 'http://n7.example')).not.toBeNull();
  expect(local.status().damagedRules).toEqual(['half.json']);
  expect(local.isWhole()).toBe(false);
});
