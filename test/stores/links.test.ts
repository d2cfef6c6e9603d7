import { expect, test } from 'bun:test';
import { parseCodeNumber } from '../../src/core/codes/code.ts';
import { createLinkStore } from '../../src/sqlite/codes/link-targets.ts';
import { createDamageMonitor } from '../../src/sqlite/damage/monitor.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();

/** The look-up of redirect targets, and another process that can change them. */
async function setUp() {
  const folder = newFolder();
  const store = openIn(folder);
  addManyQrs(store.$client, await addAccount(store, 'a@example.com'), 2);
  const recorded: number[] = [];
  const record = async (qrId: number) => void recorded.push(qrId);
  const links = createLinkStore(store, { record }, createDamageMonitor());
  const find = (number: number) => {
    const { target } = links.follow(number, 'scan', 0);
    return target === 'unavailable' ? null : target;
  };
  return { links, find, recorded, own: store.$client, other: openIn(folder).$client };
}

const code = '00000000';
/** The number of a code. */
const numbered = (text: string) => parseCodeNumber(text, 0, text.length) ?? -1;
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

test('a code has its target, an unknown one has none', async () => {
  const { find } = await setUp();
  expect(find(numbered(code))).toEqual({
    qrId: 1,
    location: 'https://shop.example.com/products/0?utm_source=print&utm_medium=qr',
    status: 'active',
    flaggedBy: null,
  });
  expect(find(numbered('zzzzzzzz'))).toBeNull();
});

test('a change by another process shows in the next tick, once it is committed', async () => {
  const { find, other } = await setUp();
  for (const destination of ['https://b/', 'https://c/', 'https://d/']) {
    find(numbered(code));
    other.query('UPDATE qrs SET destination = ? WHERE code = ?').run(destination, code);
    await yieldToEventLoop();
    expect(find(numbered(code))?.location).toBe(destination);
  }
  other.run("UPDATE qrs SET status = 'blocked'");
  await yieldToEventLoop();
  expect(find(numbered(code))?.status).toBe('blocked');
});

test('only a hit on an active code is recorded', async () => {
  const { links, recorded, own } = await setUp();
  await links.follow(numbered(code), 'scan', 0).ready;
  expect(links.follow(numbered('zzzzzzzz'), 'scan', 0).ready).toBeNull();
  for (const status of ['paused', 'blocked']) {
    own.query('UPDATE qrs SET status = ?').run(status);
    links.forget(code);
    expect(links.follow(numbered(code), 'scan', 0).ready).toBeNull();
  }
  expect(recorded).toEqual([1]);
});

test('an unknown code is not cached', async () => {
  const { find, own } = await setUp();
  expect(find(numbered('fresh000'))).toBeNull();
  own.run("UPDATE qrs SET code = 'fresh000' WHERE id = 2");
  expect(find(numbered('fresh000'))?.qrId).toBe(2);
});

test('the path of an imported link is found as it is written, also when it looks like a code', async () => {
  const { links, own } = await setUp();
  const target = (key: number | string) => links.follow(key, 'scan', 0).target;
  const rename = own.query(
    'UPDATE qrs SET code = ?, design_id = NULL, image_hash = NULL WHERE id = 1',
  );
  for (const path of ['Menu/ü "7"\\', 'EVENT200']) {
    rename.run(path);
    links.forget(path);
    expect(target(path)).toMatchObject({ qrId: 1 });
    expect(target(path.toLowerCase())).toBeNull();
  }
  own.run("UPDATE qrs SET status = 'paused' WHERE id = 1");
  links.forget('EVENT200');
  expect(target('EVENT200')).toMatchObject({ status: 'paused' });
});
