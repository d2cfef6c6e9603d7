import { expect, test } from 'bun:test';
import { addRule, removeRule } from '../../src/reputation/rules.ts';
import { createStores, nowMs } from './stores.ts';

const { openStores } = createStores();

test('a rule may match a whole top-level domain; a list entry may not', async () => {
  const { rules, decidedBy, importText } = openStores();
  await importText('test', 'http://top/');
  await addRule(rules, 'block', '*.zip', { nowMs });
  expect(await decidedBy('https://a.b.zip/x?y')).toBe('block by operator: zip/');
  expect(await decidedBy('http://zip/')).toBe('block by operator: zip/');
  expect(await decidedBy('http://zip.example/')).toBeNull();
  expect(await decidedBy('http://a.top/')).toBeNull();
  await addRule(rules, 'allow', 'good.zip', { nowMs });
  expect(await decidedBy('http://x.good.zip/')).toBe('allow by operator: good.zip/');
  expect(await removeRule(rules, 'zip')).toBe(true);
});

test.each(['com', 'COM.', '.com', 'http://com/', 'localhost'])(
  'a whole top-level domain has to be written out, not %p',
  async (text) => {
    const { rules } = openStores();
    const name = text === 'localhost' ? 'localhost' : 'com';
    for (const decision of ['block', 'allow'] as const)
      await expect(addRule(rules, decision, text, { nowMs })).rejects.toThrow(
        `alone stands for every address that ends in .${name}. Give a domain, such as evil.${name}, or write *.${name} if`,
      );
    expect(await rules.all()).toEqual([]);
  },
);

test('rules match IP addresses in any spelling, and URLs', async () => {
  const { rules } = openStores();
  for (const text of ['203.0.113.7', 'http://0x7f.1/', '[2001:db8::1]', 'http://com/menu'])
    await addRule(rules, 'block', text, { nowMs });
  expect((await rules.all()).map(({ expression }) => expression)).toEqual([
    '127.0.0.1/',
    '203.0.113.7/',
    '[2001:db8::1]/',
    'com/menu',
  ]);
  await expect(addRule(rules, 'block', '127', { nowMs })).rejects.toThrow(
    'neither a domain nor a URL',
  );
});

test('rules for this server itself are rejected', async () => {
  const { rules } = openStores();
  const options = { nowMs, ownBases: ['https://qr.example.com', 'https://example.org/q'] };
  for (const text of [
    'qr.example.com',
    'https://QR.example.com./',
    'http://qr.example.com:8080/',
    'example.org',
    'https://example.org/q/',
  ])
    await expect(addRule(rules, 'block', text, options)).rejects.toThrow('is this server itself');
  await expect(addRule(rules, 'allow', 'qr.example.com', options)).rejects.toThrow(
    'is this server itself',
  );
  for (const text of ['example.com', 'other.example.com', 'https://example.org/shop/'])
    await addRule(rules, 'block', text, options);
  expect(await rules.all()).toHaveLength(3);
});

test('rules win over lists, and more specific rules over others', async () => {
  const { rules, decidedBy, importText } = openStores();
  await importText('test', 'evil.example\nshared.example');
  await addRule(rules, 'allow', 'https://Shared.example', { nowMs, note: 'our own' });
  await addRule(rules, 'block', 'bad.shared.example', { nowMs });
  await addRule(rules, 'block', 'https://shared.example/phish/', { nowMs });
  await addRule(rules, 'allow', 'testsafebrowsing.appspot.com', { nowMs });
  expect(await decidedBy('http://evil.example')).toBe('block by test: evil.example/');
  expect(await decidedBy('http://a.shared.example')).toBe('allow by operator: shared.example/');
  expect(await decidedBy('http://x.bad.shared.example')).toBe(
    'block by operator: bad.shared.example/',
  );
  expect(await decidedBy('http://shared.example/phish/1')).toBe(
    'block by operator: shared.example/phish/',
  );
  expect(await decidedBy('http://testsafebrowsing.appspot.com/s/malware.html')).toStartWith(
    'allow by operator',
  );
  expect(await removeRule(rules, 'SHARED.example.')).toBe(true);
  expect(await removeRule(rules, 'shared.example')).toBe(false);
  expect(await decidedBy('http://a.shared.example')).toBe('block by test: shared.example/');
  await addRule(rules, 'allow', 'bad.shared.example', { nowMs: nowMs + 1, note: 'fixed' });
  expect(await rules.all()).toEqual([
    { decision: 'allow', expression: 'bad.shared.example/', addedAtMs: nowMs + 1, note: 'fixed' },
    { decision: 'block', expression: 'shared.example/phish/', addedAtMs: nowMs, note: '' },
    { decision: 'allow', expression: 'testsafebrowsing.appspot.com/', addedAtMs: nowMs, note: '' },
  ]);
  await expect(addRule(rules, 'block', 'two words', { nowMs })).rejects.toThrow(
    'neither a domain nor a URL',
  );
  await expect(addRule(rules, 'block', '10.0.0.0/8', { nowMs })).rejects.toThrow('is a network');
});
