import { describe, expect, test } from 'bun:test';
import type { ReputationResult } from '../../src/core/codes/ports.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import { createQrs } from '../../src/core/codes/qrs.ts';
import { plainDesign, type ReadabilityResult } from '../../src/core/designs/design.ts';
import { ApiError, StoreUnavailable } from '../../src/core/errors.ts';
import { readable, sampleImage, sampleQr } from './sample-qr.ts';

const destination = 'https://example.com/';
const logoPlacement = { sizePercent: 96, rightModules: 0.5, downModules: 0 };
const unreadable: ReadabilityResult = {
  ...readable,
  isReadable: false,
  reasons: ['Too pale.'],
  advice: { changes: { foreground: '#000000' }, message: 'Make it black.' },
};
/** A QR that was changed and scanned since its creation. */
const earlier: Qr = {
  ...sampleQr,
  status: 'paused',
  destination: 'https://changed.example/',
  scans: 7,
};

/** Creates QRs over ports that record the calls with effects. */
function setUp({
  reputation = { flagged: false, checked: 'fully' } as ReputationResult,
  readability = readable,
  insertResult = 'stored' as 'stored' | 'taken',
  known = null as Qr | null,
  isUnlucky = (_link: string): boolean => false,
} = {}) {
  const calls: string[] = [];
  let stored: Qr | null = known;
  let byte = 1;
  const unused = () => Promise.reject(new Error('not used'));
  const qrs = createQrs({
    linkImports: { taken: async () => [] },
    shortUrls: { shortUrl: 'https://s.example', prefixes: ['https://s.example'], isDense: false },
    clock: { nowMs: () => 5, monotonicMs: () => 0 },
    randomBytes: (length) => new Uint8Array(length).fill(byte++),
    reputation: { check: async () => reputation },
    designs: {
      add: unused,
      setDefault: unused,
      findDefault: async () => ({ id: 5, design: plainDesign }),
      find: async () => plainDesign,
      pngHash: async () => new Uint8Array(32),
      recordPngHash: unused,
    },
    rendererFor: () => ({
      checkReadability: unused,
      checkImage: async (link) => {
        calls.push(`check ${link}`);
        return { ...(isUnlucky(link) ? unreadable : readability), svgHash: new Uint8Array(32) };
      },
      svg: async (link, design) => {
        calls.push(`svg ${link} ${design.logoPlacement?.sizePercent}`);
        return new Uint8Array(1);
      },
      printImage: unused,
      png: async (link, _, widthPx) => {
        calls.push(`png ${link} ${widthPx}`);
        return new Uint8Array(1);
      },
      normalizeLogo: unused,
    }),
    store: {
      findByIdempotencyKey: async () => known,
      insert: async (qr, _, needsRecheck) => {
        calls.push(`insert ${qr.code}${needsRecheck ? ' and re-check' : ''}`);
        if (insertResult === 'stored') stored = { ...sampleQr, ...qr };
        return insertResult;
      },
      find: async (accountId, code) =>
        stored?.accountId === accountId && stored.code === code ? stored : null,
      changeDestination: unused,
      changeStatus: unused,
      listPage: async () => ({ qrs: [], total: 3 }),
      searchBatch: unused,
      findMany: unused,
      changeLabels: unused,
      formerDestinations: unused,
      hourlyScans: unused,
      uncountedHits: unused,
    },
  });
  return { qrs, calls };
}

/** Returns the code and message of the ApiError that a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<[string, string]> {
  const error = await promise.then(
    () => new Error('not rejected'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiError) return [error.code, error.message];
  throw error;
}

describe('create', () => {
  test('rejects an unreadable design with reasons and advice', async () => {
    const { qrs, calls } = setUp({ readability: unreadable });
    const [code, message] = await rejection(qrs.create(1, destination, null));
    expect(message).toMatch(/Too pale\. Make/);
    expect(code).toBe('design_unreadable');
    // The code, and the sample of the design.
    expect(calls).toEqual(['check https://s.example/11111111', 'check https://s.example/7h3k9m2x']);
  });

  test('tries two other codes where the sample of the design is readable', async () => {
    const some = setUp({ isUnlucky: (link) => /1{8}|2{8}/.test(link) });
    const { qr: created } = await some.qrs.create(1, destination, null);
    expect(created).toMatchObject({ code: '33333333', shortLink: 'https://s.example/33333333' });
    expect(some.calls.at(-1)).toBe('insert 33333333');
    const most = setUp({ isUnlucky: (link) => !link.endsWith('/7h3k9m2x') });
    expect(await rejection(most.qrs.create(1, destination, null))).toEqual([
      'design_unreadable',
      expect.stringContaining('Too pale.'),
    ]);
    expect(most.calls).toHaveLength(4);
  });

  test('asks for a retry when the new code exists', async () => {
    const { qrs } = setUp({ insertResult: 'taken' });
    await expect(qrs.create(1, destination, null)).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test('queues a re-check when the destination was not checked fully', async () => {
    const { qrs, calls } = setUp({ reputation: { flagged: false, checked: 'partly' } });
    await qrs.create(1, destination, null);
    expect(calls).toContain('insert 11111111 and re-check');
  });
});

test('an imported link has no image', async () => {
  const { qrs, calls } = setUp({ known: { ...earlier, image: null } });
  expect(await rejection(qrs.imageSource(1, earlier.code))).toEqual([
    'not_found',
    expect.stringContaining('no image of an imported link'),
  ]);
  expect(calls).toEqual([]);
});

test('an image is rendered once, with the logo placement of its creation', async () => {
  const { qrs, calls } = setUp({ known: { ...earlier, image: { ...sampleImage, logoPlacement } } });
  const source = await qrs.imageSource(1, earlier.code);
  for (let repeat = 0; repeat < 2; repeat++) {
    await qrs.image(1, source, 'svg', 0);
    await qrs.image(1, source, 'png', 200);
    await qrs.image(1, source, 'png', 201);
  }
  const { shortLink } = earlier;
  expect(calls).toEqual([`svg ${shortLink} 96`, `png ${shortLink} 200`, `png ${shortLink} 201`]);
});
