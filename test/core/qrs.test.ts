import { describe, expect, test } from 'bun:test';
import { createQrs } from '../../src/core/codes/qrs.ts';
import type { ReadabilityResult } from '../../src/core/designs/design.ts';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { addAccount, createFolders, storesOn } from '../stores/folder.ts';
import { acting, command, newQr } from '../stores/rows.ts';
import { rejectionOf } from '../support/rejection.ts';
import { readable } from './sample-qr.ts';

const { newFolder, openIn } = createFolders();
const destination = 'https://example.com/';
const unreadable: ReadabilityResult = {
  ...readable,
  isReadable: false,
  reasons: [{ kind: 'low contrast' }],
  advice: { changes: { foreground: '#000000' }, instead: { foreground: '#999999' } },
};

/** Creates the QRs of one account, over a renderer that records what it checks and draws. */
async function setUp({
  checked = 'fully' as 'fully' | 'partly',
  isPale = (_: string): boolean => false,
} = {}) {
  const database = openIn(newFolder());
  const stores = storesOn(database);
  const owner = await addAccount(database, 'anna@example.org');
  await stores.designs.recordPngHash(owner.designId, new Uint8Array(32));
  const calls: string[] = [];
  let byte = 1;
  const unused = () => Promise.reject(new Error('not used'));
  const draw = async (picture: string) => {
    calls.push(picture);
    return new Uint8Array(1);
  };
  const qrs = createQrs({
    ...stores,
    store: stores.qrs,
    shortUrls: { shortUrl: 'https://s.example', prefixes: ['https://s.example'], isDense: false },
    clock: { nowMs: () => 5, monotonicMs: () => 0 },
    randomBytes: (length) => new Uint8Array(length).fill(byte++),
    reputation: { check: async () => ({ flagged: false, checked }) },
    rendererFor: () => ({
      checkReadability: unused,
      checkImage: async (link) => {
        calls.push(`check ${link}`);
        return { ...(isPale(link) ? unreadable : readable), svgHash: new Uint8Array(32) };
      },
      svg: (link, { logoPlacement }) => draw(`svg ${link} ${logoPlacement?.sizePercent}`),
      png: (link, _, widthPx) => draw(`png ${link} ${widthPx}`),
      printImage: unused,
      screenImage: unused,
      logoThumbnail: unused,
      normalizeLogo: unused,
    }),
  });
  const create = () => qrs.create(acting(owner.accountId), destination, null);
  return { qrs, stores, owner, calls, create };
}

describe('create', () => {
  test('rejects an unreadable design with reasons and advice', async () => {
    const { create, calls } = await setUp({ isPale: () => true });
    const { reasons, advice } = unreadable;
    expect(await rejectionOf(create())).toMatchObject({
      code: 'design_unreadable',
      reason: { kind: 'design unreadable', isDefault: true, reasons, advice },
    });
    // The code, and the sample of the design.
    expect(calls).toEqual(['check https://s.example/11111111', 'check https://s.example/7h3k9m2x']);
  });

  test('tries two other codes where the sample of the design is readable', async () => {
    const some = await setUp({ isPale: (link) => /1{8}|2{8}/.test(link) });
    const { qr: created } = await some.create();
    expect(created).toMatchObject({ code: '33333333', shortLink: 'https://s.example/33333333' });
    expect((await some.stores.qrs.listPage(some.owner.accountId, 9, 0)).total).toBe(1);
    const most = await setUp({ isPale: (link) => !link.endsWith('/7h3k9m2x') });
    expect(await rejectionOf(most.create())).toMatchObject({ code: 'design_unreadable' });
    expect(most.calls).toHaveLength(4);
  });

  test('asks for a retry when the new code exists', async () => {
    const { create, stores, owner } = await setUp();
    await stores.qrs.insert(newQr(owner, { code: '11111111' }), null, command);
    await expect(create()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('queues a re-check when the destination was not checked fully', async () => {
    const { create, stores } = await setUp({ checked: 'partly' });
    await create();
    expect(await stores.flags.queued(9)).toMatchObject([{ code: '11111111' }]);
  });
});

test('an imported link has no image', async () => {
  const { qrs, stores, owner, calls } = await setUp();
  const link = newQr(owner, { image: null });
  await stores.qrs.insert(link, null, command);
  expect(await rejectionOf(qrs.imageSource(owner.accountId, link.code))).toMatchObject({
    code: 'not_found',
    reason: { kind: 'no image of an imported link' },
  });
  expect(calls).toEqual([]);
});

test('an image is rendered once, with the logo placement of its creation', async () => {
  const { qrs, stores, owner, calls } = await setUp();
  const qr = newQr(owner);
  await stores.qrs.insert(qr, null, command);
  const source = await qrs.imageSource(owner.accountId, qr.code);
  for (let repeat = 0; repeat < 2; repeat++) {
    await qrs.image(1, source, 'svg', 0);
    await qrs.image(1, source, 'png', 200);
    await qrs.image(1, source, 'png', 201);
  }
  const { shortLink } = qr;
  expect(calls).toEqual([`svg ${shortLink} 96`, `png ${shortLink} 200`, `png ${shortLink} 201`]);
});
