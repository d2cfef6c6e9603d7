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
  const links = createLinkStore(store, { record: async () => {} }, createDamageMonitor());
  const find = (number: number) => {
    const { target } = links.follow(number, 'scan', 0);
    return target === 'unavailable' ? null : target;
  };
  return { find, own: store.$client, other: openIn(folder).$client };
}

const code = '00000000';
/** The number of a code. */
const numbered = (text: string) => parseCodeNumber(text, 0, text.length) ?? -1;
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));

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

test('an unknown code is not cached', async () => {
  const { find, own } = await setUp();
  expect(find(numbered('fresh000'))).toBeNull();
  own.run("UPDATE qrs SET code = 'fresh000' WHERE id = 2");
  expect(find(numbered('fresh000'))?.qrId).toBe(2);
});
