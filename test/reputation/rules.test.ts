import { expect, test } from 'bun:test';
import { addRule, removeRule } from '../../src/reputation/rules.ts';
import { refusalOf } from '../support/refusal.ts';
import { createStores, nowMs } from './stores.ts';

const { openStores } = createStores();

test('a rule may match a whole top-level domain; a list entry may not', async () => {
  const { rules, decidedBy, importText } = openStores();
  await importText('test', 'http://top/');
  await addRule(rules, 'block', '*.zip', { nowMs });
  expect(await decidedBy('https://a.b.zip/x?y')).toBe('block by operator: zip/');
  expect(await decidedBy('http://zip.example/')).toBeNull();
  expect(await decidedBy('http://a.top/')).toBeNull();
  await addRule(rules, 'allow', 'good.zip', { nowMs });
  expect(await decidedBy('http://x.good.zip/')).toBe('allow by operator: good.zip/');
  expect(await removeRule(rules, 'zip')).toBe(true);
});

test.each([
  ['com', 'alone would match every address that ends in .com. Give a domain, such as evil.com,'],
  ['COM.', 'alone would match every address that ends in .com.'],
  ['http://com/', 'alone would match every address that ends in .com.'],
  ['localhost', 'or write *.localhost if you mean them all.'],
  ['127', 'neither a domain nor a URL'],
  ['two words', 'neither a domain nor a URL'],
  ['10.0.0.0/8', 'is a network'],
])('a rule for %j is rejected', async (text, reason) => {
  const { rules } = openStores();
  for (const decision of ['block', 'allow'] as const)
    expect((await refusalOf(() => addRule(rules, decision, text, { nowMs }))).said).toContain(
      reason,
    );
  expect(await rules.all()).toEqual([]);
});

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
});

test('rules win over lists, and more specific rules over others', async () => {
  const { rules, decidedBy, importText } = openStores();
  await importText('test', 'evil.example\nshared.example');
  await addRule(rules, 'allow', 'https://Shared.example', { nowMs, note: 'our own' });
  await addRule(rules, 'block', 'bad.shared.example', { nowMs });
  await addRule(rules, 'block', 'https://shared.example/phish/', { nowMs });
  await addRule(rules, 'allow', 'testsafebrowsing.appspot.com', { nowMs });
  const decisions = {
    'http://evil.example': 'block by test: evil.example/',
    'http://a.shared.example': 'allow by operator: shared.example/',
    'http://x.bad.shared.example': 'block by operator: bad.shared.example/',
    'http://shared.example/phish/1': 'block by operator: shared.example/phish/',
    'http://testsafebrowsing.appspot.com/s/malware.html':
      'allow by operator: testsafebrowsing.appspot.com/',
  };
  for (const [url, decision] of Object.entries(decisions))
    expect(await decidedBy(url)).toBe(decision);
  expect(await removeRule(rules, 'SHARED.example.')).toBe(true);
  expect(await removeRule(rules, 'shared.example')).toBe(false);
  expect(await decidedBy('http://a.shared.example')).toBe('block by test: shared.example/');
});
