import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createQrList } from '../../src/sqlite/codes/list.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();
const count = 3500;
/** Of the newest code of `addManyQrs`. */
const newestMs = 1_750_000_000_000 + Math.floor((count - 1) / 3);

async function world() {
  const folder = newFolder();
  const store = openIn(folder);
  const owner = await addAccount(store, 'many@example.com');
  addManyQrs(store.$client, await addAccount(store, 'other@example.com'), 50);
  store.$client.run('UPDATE qrs SET code = code || code');
  addManyQrs(store.$client, owner, count);
  const insert = store.$client.query(
    `INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
     VALUES (?, ?, ?, '', '', ?, x'')`,
  );
  const recount = store.$client.query('UPDATE accounts SET qr_count = qr_count + 1 WHERE id = ?');
  const list = createQrList(store.$client, { unfolded: () => [] });
  const add = (code: string, createdAtMs: number) => {
    insert.run(code, owner.accountId, owner.designId, createdAtMs);
    recount.run(owner.accountId);
    list.added({ accountId: owner.accountId, createdAtMs });
  };
  const plain = store.$client.query<{ code: string }, [number, number, number]>(
    'SELECT code FROM qrs WHERE account_id = ? ORDER BY created_at DESC, code LIMIT ? OFFSET ?',
  );
  const codesOf = (rows: readonly { code: string }[]) => rows.map(({ code }) => code);
  return {
    folder,
    add,
    /** A page as the list has it, and as SQLite finds it by walking. */
    page: async (limit: number, offset: number) =>
      codesOf((await list.page(owner.accountId, limit, offset)).qrs),
    walked: (limit: number, offset: number) => codesOf(plain.all(owner.accountId, limit, offset)),
    total: async () => (await list.page(owner.accountId, 1, 0)).total,
  };
}

const offsets = fc.integer({ min: 0, max: count + 20 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ offset: offsets, limit: fc.integer({ min: 1, max: 100 }) }),
    },
    // In front of all, beside others of the same instant, and far behind.
    {
      weight: 1,
      arbitrary: fc.record({ atMs: fc.integer({ min: newestMs - 1200, max: newestMs + 5 }) }),
    },
  ),
  { minLength: 10, maxLength: 40 },
);

test('a page is what SQLite finds by walking there, whatever was asked for and added before', async () => {
  const { add, page, walked, total } = await world();
  let added = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      for (const step of all) {
        if ('atMs' in step) add(`new${added++}`, step.atMs);
        else expect(await page(step.limit, step.offset)).toEqual(walked(step.limit, step.offset));
      }
    }),
    { numRuns: 40 },
  );
  expect(await total()).toBe(count + added);
});

test('what another process adds far behind moves the pages in front of it', async () => {
  const { folder, page, walked } = await world();
  expect(await page(3, 1500)).toEqual(walked(3, 1500));
  openIn(folder).$client.run(
    `INSERT INTO qrs (code, account_id, design_id, short_link, destination, created_at, image_hash)
       SELECT 'behind', account_id, design_id, '', '', 1, x'' FROM qrs WHERE account_id = 1 LIMIT 1;
     UPDATE accounts SET qr_count = qr_count + 1 WHERE id = 1`,
  );
  expect(await page(3, 1500)).toEqual(walked(3, 1500));
  expect(await page(1, count)).toEqual(['behind']);
});
