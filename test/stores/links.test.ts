import { expect, test } from 'bun:test';
import { parseCodeNumber } from '../../src/core/codes/code.ts';
import { createLinkStore } from '../../src/sqlite/codes/link-targets.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();

/** A server's view of a QR, and another process that can change it. */
async function world() {
  const folder = newFolder();
  const store = openIn(folder);
  addManyQrs(store.$client, await addAccount(store, 'a@example.com'), 2);
  return { links: createLinkStore(store), own: store.$client, other: openIn(folder).$client };
}

const code = '00000000';
/** The number that the store knows a code by. */
const numbered = (text: string) => parseCodeNumber(text, 0, text.length) ?? -1;
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

test('a code leads to its target, and an unknown one nowhere', async () => {
  const { links } = await world();
  expect(await links.find(numbered(code))).toEqual({
    qrId: 1,
    location: 'https://shop.example.com/products/0?utm_source=print&utm_medium=qr',
    status: 'active',
    flaggedBy: null,
  });
  expect(await links.find(numbered('zzzzzzzz'))).toBeNull();
});

test('it leads there in ASCII, as a Location header must', async () => {
  const { links, own } = await world();
  own.query('UPDATE qrs SET destination = ? WHERE code = ?').run('https://example.com/ü', code);
  expect(await links.find(numbered(code))).toMatchObject({
    location: 'https://example.com/%C3%BC',
  });
});

test('what another process commits is seen in the next turn, every time', async () => {
  const { links, other } = await world();
  for (const destination of ['https://b/', 'https://c/', 'https://d/']) {
    await links.find(numbered(code));
    other.query('UPDATE qrs SET destination = ? WHERE code = ?').run(destination, code);
    await yieldToEventLoop();
    expect((await links.find(numbered(code)))?.location).toBe(destination);
  }
  other.run("UPDATE qrs SET status = 'blocked'");
  await yieldToEventLoop();
  expect((await links.find(numbered(code)))?.status).toBe('blocked');
});

test('what is not committed is not seen', async () => {
  const { links, other } = await world();
  other.run("BEGIN IMMEDIATE; UPDATE qrs SET status = 'blocked'");
  expect((await links.find(numbered(code)))?.status).toBe('active');
  other.run('COMMIT');
  await yieldToEventLoop();
  expect((await links.find(numbered(code)))?.status).toBe('blocked');
});

test('what this process changes is seen at the next call, once it is announced', async () => {
  const { links, own } = await world();
  await links.find(numbered(code));
  own.query('UPDATE qrs SET destination = ? WHERE code = ?').run('https://b/', code);
  links.forget(code);
  expect((await links.find(numbered(code)))?.location).toBe('https://b/');
});

test('a code that was unknown is found as soon as it exists', async () => {
  const { links, own } = await world();
  expect(await links.find(numbered('fresh000'))).toBeNull();
  own.run("UPDATE qrs SET code = 'fresh000' WHERE id = 2");
  expect((await links.find(numbered('fresh000')))?.qrId).toBe(2);
});
