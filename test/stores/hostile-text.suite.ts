import { expect, test } from 'bun:test';
import { searchBatches } from '../../src/core/codes/lists/search.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import {
  acting,
  addOwner,
  batchesOf,
  beginBulkEdit,
  beginUndo,
  command,
  newBatch,
  newLink,
  newQr,
  newRow,
  newSignIn,
  noon,
} from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

/** Texts that end a statement, a message, a JSON document or an array where they are not passed as a value. */
const texts = [
  '',
  'NULL',
  `' OR 1=1 -- a b  c  "double", \`back\` and $1 ? :name @x %_*[]()^$|;`,
  'back\\slash \\" \\\\ \\u0000 \\x00 {a,b},{"c":[1,NULL]}',
  'line\nbreak\ttab\r\u001f\u007f Ünïcödé 漢字 🙂 \u{10ffff} e\u0301 \u202e',
];
/** Texts that are in no database of PostgreSQL: look-ups find nothing. */
const unknown = ['a\0b', '\0', 'lone \ud800 surrogate \udfff'];

/** Tests that every statement passes texts as values, for every adapter. */
export function hostileTextSuite({ name, stores, empty }: DatabaseUnderTest): void {
  const { accounts, credentials, sessions, signInLinks, keys, savedDesigns, designs } = stores;
  const { qrs, batches, bulkEdits, linkImports, flags, runs, rules, sources, lists } = stores;

  test(`${name}: texts come back as they were stored, and are found`, async () => {
    await empty();
    for (const [index, text] of texts.entries()) {
      const { accountId: id } = await addOwner(stores, { email: text, passwordHash: text });
      expect(await accounts.findByEmail(text)).toMatchObject({ id, email: text });
      const found = (await accounts.search(text)).accounts;
      expect(found.map((account) => account.id)).toContain(id);
      expect(await credentials.find(text)).toMatchObject({ passwordHash: text, account: { id } });
      const signIn = { ...newSignIn(text, 1), device: text };
      expect(await credentials.signIn(id, text, signIn, null)).toBe('stored');
      expect((await sessions.find(text))?.person.email).toBe(text);
      expect(await credentials.browserSinceMs(text, id)).not.toBeNull();
      await signInLinks.add(text, acting(id), 10, noon);
      expect((await signInLinks.find(text, 1))?.account?.id).toBe(id);
      await keys.replace(acting(id), text, text, 1);
      expect((await keys.findOwner(text, 1))?.account.id).toBe(id);
      expect((await keys.findByAccount(id))?.lastFour).toBe(text);

      const designId = await savedDesigns.save(acting(id), text, plainDesign, 1);
      expect((await savedDesigns.list(id)).map((saved) => saved.name)).toEqual([text]);
      expect(await savedDesigns.rename(acting(id), text, 'plain', noon)).toBe('renamed');
      expect(await savedDesigns.rename(acting(id), 'plain', text, noon)).toBe('renamed');
      expect((await savedDesigns.find(id, text))?.designId).toBe(designId);
      expect(await savedDesigns.remove(acting(id), text, noon)).toBe(true);
      const named = { ...plainDesign, foreground: text };
      expect(await designs.find(await designs.add(acting(id), named, 1))).toEqual(named);

      const destination = `https://x.example/${text}`;
      const qr = newQr({ accountId: id, designId }, { destination, code: `code ${text}` });
      await qrs.insert(qr, null, command, true);
      const checked = (await flags.queued(100)).find((one) => one.code === qr.code);
      if (checked === undefined) throw new Error('the code is missing');
      expect(checked).toMatchObject({ destination, owner: text });
      const flag = { list: text, expression: text, sinceMs: 1 };
      await flags.setFlag(checked, flag);
      expect((await flags.find(qr.code))?.flag).toEqual(flag);
      expect(await flags.setBlocked(command, qr.code, true, noon)).toBe(true);
      await flags.dequeue(checked);

      const rule = { expression: text, decision: 'allow', addedAtMs: 1, note: text } as const;
      await rules.put(rule);
      expect(await rules.find([text, ...unknown])).toEqual([rule]);
      const source = { name: text, url: text, addedAtMs: 1, column: text };
      await sources.put(source);
      const update = { name: text, checkedAtMs: 1, outcome: 'failed', reason: text } as const;
      await sources.recordUpdate(update);
      expect(await sources.all()).toContainEqual({ ...source, lastUpdate: update });
      const origin = { url: text, etag: text, lastModified: text };
      const list = { source: text, importedAtMs: 1, origin };
      const hash = new Uint8Array(32).fill(index);
      await lists.replace(list, batchesOf([hash]));
      expect(await lists.all()).toContainEqual({ ...list, entries: 1 });
      expect(await lists.find([hash])).toEqual([{ source: text, importedAtMs: 1, index: 0 }]);
      await runs.record('lists', { listVersion: text, startedMs: 1 });
      expect((await runs.last('lists'))?.listVersion).toBe(text);
    }
    expect((await rules.find(texts)).map((rule) => rule.expression).sort()).toEqual(
      texts.toSorted(),
    );
    expect((await rules.all()).map((rule) => rule.expression)).toEqual(
      texts.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
    );
  });

  test(`${name}: codes with such texts are stored, found and changed`, async () => {
    await empty();
    const owner = await addOwner(stores);
    const { accountId } = owner;
    // A path may also look like a code.
    const paths = ['0abc1234', 'EVENT200', ...texts.map((text) => `path ${text}`)];
    const fields = (path: string) => ({ name: path, note: path, destination: `https://x/${path}` });
    const links = paths.map((path) =>
      newLink(path, {
        ...fields(path),
        shortLink: path,
        prefix: path,
        scans: 1,
        needsRecheck: true,
      }),
    );
    expect(await linkImports.add(acting(accountId), links, noon)).toEqual(expect.any(Number));
    expect((await linkImports.taken([...paths, ...unknown])).toSorted()).toEqual(paths.toSorted());
    for (const path of paths) {
      expect(await linkImports.add(acting(accountId), [newLink(path)], noon)).toBe(false);
      const found = await qrs.find(accountId, path);
      expect(found).toMatchObject({ code: path, shortLink: path, ...fields(path), scans: 1 });
      expect(await qrs.findMany(accountId, [path, ...unknown])).toEqual(found ? [found] : []);
      const changed = await qrs.changeLabels(
        acting(accountId),
        path,
        { name: `2 ${path}`, note: null },
        noon,
      );
      expect(changed).toMatchObject({ name: `2 ${path}`, note: null });
      const to = `https://y/${path}`;
      expect(await qrs.changeDestination(acting(accountId), path, to, 1, true)).toMatchObject({
        destination: to,
      });
      expect(await qrs.formerDestinations(found?.id ?? 0, 1)).toEqual([
        { destination: `https://x/${path}`, untilMs: 1, isReplacedAsPlanned: false },
      ]);
      expect(
        (await qrs.changeStatus(acting(accountId), path, 'active', 'paused', noon))?.status,
      ).toBe('paused');
      expect(await qrs.insert(newQr(owner, { code: path }), null, command)).toBe('taken');
      const matching = await Array.fromAsync(searchBatches(qrs, accountId, to));
      expect(matching.flat().map(({ code }) => code)).toContain(path);
    }
    const all = (await qrs.listPage(accountId, 100, 0)).qrs;
    expect(all.map(({ code }) => code).sort()).toEqual(paths.toSorted());

    const change = { kind: 'replace', replaced: texts.join(), replacement: texts.join() } as const;
    const edits = all.map(({ id: qrId, code, destination }) => ({
      ...{ qrId, code, before: destination, after: `https://z/${code}`, needsRecheck: true },
    }));
    const id = await beginBulkEdit(stores, acting(accountId), change, edits);
    expect(await bulkEdits.make(id, edits, [], 2)).toEqual(all.map(({ code }) => code));
    expect(await bulkEdits.last(accountId)).toMatchObject({ change, changedSince: 0 });
    for (const { code, after } of edits)
      expect((await qrs.find(accountId, code))?.destination).toBe(after);
    expect(await beginUndo(stores, acting(accountId), id)).toBeTrue();
    const back = await bulkEdits.pending(id, 0, 100);
    expect(await bulkEdits.make(id, back, [], 3)).toHaveLength(all.length);
    expect((await qrs.listPage(accountId, 100, 0)).qrs).toEqual(all);

    const rows = texts.map((text, row) => {
      const problem = row % 2 === 0 ? null : ({ kind: 'resembles a domain', text } as const);
      return newRow(row, { name: text, destination: `https://x/${text}`, note: text, problem });
    });
    const batch = await batches.add(newBatch(owner, { rows }));
    const stored = rows.map((row) => ({ ...row, code: null }));
    expect(await batches.rows(batch, 'all', -1, 100)).toEqual(stored);
    const reason = { kind: 'as stored', text: texts.join() } as const;
    await batches.refuse(batch, 0, reason);
    const [refused] = await batches.rows(batch, 'refused', -1, 1);
    expect(refused?.problem).toEqual(reason);
    await batches.end(batch, 'stopped', reason);
    expect((await batches.find(accountId, batch))?.problem).toEqual(reason);
  });

  test(`${name}: texts that no row has are looked up without an error`, async () => {
    await empty();
    expect(await linkImports.taken(unknown)).toEqual([]);
    expect(await qrs.findMany(1, unknown)).toEqual([]);
    for (const text of unknown) {
      expect(await qrs.find(1, text)).toBeNull();
      expect(await qrs.changeDestination(acting(1), text, 'https://a/', 1)).toBeNull();
      expect(await qrs.changeStatus(acting(1), text, 'active', 'paused', noon)).toBeNull();
      expect(await qrs.changeLabels(acting(1), text, { name: 'a' }, noon)).toBeNull();
      expect(await accounts.findByEmail(text)).toBeNull();
      expect((await accounts.search(text)).total).toBe(0);
      expect(await credentials.find(text)).toBeNull();
      expect(await credentials.browserSinceMs(text, 1)).toBeNull();
      expect(await sessions.find(text)).toBeNull();
      expect(await signInLinks.find(text, 1)).toBeNull();
      expect(await keys.findOwner(text, 1)).toBeNull();
      expect(await savedDesigns.find(1, text)).toBeNull();
      expect(await savedDesigns.rename(acting(1), text, 'a', noon)).toBe('missing');
      expect(await savedDesigns.remove(acting(1), text, noon)).toBe(false);
      expect(await flags.find(text)).toBeNull();
      expect(await flags.setBlocked(command, text, true, noon)).toBe(false);
      expect(await rules.find([text, 'other/'])).toEqual([]);
      expect(await rules.remove(text)).toBe(false);
      expect(await sources.remove(text)).toBe(false);
      expect(await lists.remove(text)).toBe(false);
    }
  });
}
