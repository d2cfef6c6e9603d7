import { describe, expect, test } from 'bun:test';
import type { NewQr, Qr } from '../../src/core/codes/qr.ts';
import { createQrs, sampleShortLink } from '../../src/core/codes/qrs.ts';
import {
  centeredLogo,
  plainDesign,
  type ReadabilityResult,
} from '../../src/core/designs/design.ts';
import { ApiError } from '../../src/core/errors.ts';
import type { ReputationResult } from '../../src/core/ports.ts';
import { sampleQr } from './sample-qr.ts';

const now = 1_000;
const readable: ReadabilityResult = {
  isReadable: true,
  score: 90,
  reasons: [],
  advice: null,
  logoPlacement: { sizePercent: 96, rightModules: 0.5, downModules: 0 },
  modules: 33,
  quietZoneModules: 4,
};
const unreadable: ReadabilityResult = {
  ...readable,
  isReadable: false,
  reasons: ['Too pale.'],
  advice: { changes: { foreground: '#000000' }, message: 'Make it black.' },
};
const retry = { digest: new Uint8Array(32), atMs: now };
const earlier: Qr = {
  ...sampleQr,
  id: 9,
  code: 'earl1er0',
  designId: 5,
  shortLink: 'https://s.example/earl1er0',
  destination: 'https://changed.example/',
  status: 'paused',
  createdAtMs: 1,
  scans: 7,
  lastScanMs: 5,
};

interface Setup {
  readonly answer?: ReputationResult;
  /** Another list comes while the code is drawn. */
  readonly listChanges?: boolean;
  readonly verdict?: ReadabilityResult;
  /** What storing comes to, try by try; the last one again and again. */
  readonly outcomes?: readonly ('stored' | 'taken' | { earlier: Qr })[];
  readonly known?: Qr | null;
  readonly dense?: boolean;
}

/** QRs in front of a world that only remembers in which order it was asked for what. */
function world({
  answer,
  listChanges = false,
  verdict,
  outcomes = ['stored'],
  known = null,
  dense = false,
}: Setup = {}) {
  const asked: string[] = [];
  let stored: Qr | null = null;
  let tries = 0;
  let bytes = 1;
  let generation = 'first';
  const unasked = () => Promise.reject(new Error('nobody should ask for this'));
  const qrs = createQrs({
    shortUrls: { shortUrl: 'https://s.example', prefixes: ['https://s.example'], isDense: dense },
    clock: { nowMs: () => now, monotonicMs: () => 0 },
    randomBytes: (length) => new Uint8Array(length).fill(bytes++),
    reputation: {
      check: async (destination) => {
        asked.push(`check ${destination}`);
        return answer ?? { flagged: false, checked: 'fully' };
      },
      listVersion: async () => generation,
    },
    designs: {
      add: unasked,
      findDefault: async () => ({ id: 5, design: plainDesign }),
      find: async (id) => {
        asked.push(`design ${id}`);
        return plainDesign;
      },
    },
    renderer: {
      checkReadability: async (link) => {
        asked.push(`judge ${link}`);
        if (listChanges) generation = 'second';
        return { ...(verdict ?? readable), svgHash: new Uint8Array(32).fill(3) };
      },
      svg: async (link, { logoPlacement }) => {
        asked.push(`svg ${link} ${JSON.stringify(logoPlacement)}`);
        return new Uint8Array([1]);
      },
      png: async (link, _, widthPx) => {
        asked.push(`png ${link} ${widthPx}`);
        return new Uint8Array([2, widthPx % 256]);
      },
      normalizeLogo: unasked,
    },
    store: {
      findByIdempotencyKey: async () => {
        asked.push('retry');
        return known;
      },
      insert: async (qr: NewQr, _, needsRecheck) => {
        asked.push(`insert ${qr.code}`);
        if (needsRecheck) asked.push(`look again at ${qr.code}`);
        const outcome = outcomes[Math.min(tries++, outcomes.length - 1)] ?? 'stored';
        if (outcome === 'stored')
          stored = { ...qr, id: 1, status: 'active', scans: 0, lastScanMs: null, flag: null };
        return outcome;
      },
      find: async (accountId, code) => {
        asked.push(`find ${code}`);
        const qr = stored ?? known;
        return qr?.accountId === accountId && qr.code === code ? qr : null;
      },
      changeDestination: async (_, code, destination, atMs) => {
        asked.push(`change ${code} to ${destination} at ${atMs}`);
        return known && { ...known, destination };
      },
      changeStatus: async (_, code, from, to) => {
        asked.push(`${code} from ${from} to ${to}`);
        return known;
      },
      listPage: async () => ({ qrs: [], total: 3 }),
      formerDestinations: unasked,
      hourlyScans: unasked,
      uncountedHits: unasked,
    },
  });
  return { qrs, asked };
}

/** The code and message of a refusal. */
async function refusal(run: Promise<unknown>): Promise<[string, string]> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiError) return [error.code, error.message];
  throw error ?? new Error('it was not refused');
}

const to = 'https://example.com/';
const flagged = { flagged: true, list: 'phish', expression: 'example.com/' } as const;

describe('create', () => {
  test('checks the destination, judges the design on the very link, stores, and reads back', async () => {
    const { qrs, asked } = world();
    expect(await qrs.create(1, to, null)).toEqual({
      id: 1,
      code: '11111111',
      accountId: 1,
      designId: 5,
      logoPlacement: { sizePercent: 96, rightModules: 0.5, downModules: 0 },
      shortLink: 'https://s.example/11111111',
      destination: to,
      status: 'active',
      createdAtMs: now,
      scans: 0,
      lastScanMs: null,
      imageHash: new Uint8Array(32).fill(3),
      flag: null,
    });
    expect(asked).toEqual([
      `check ${to}`,
      'judge https://s.example/11111111',
      'insert 11111111',
      'find 11111111',
    ]);
  });

  test('writes dense links whole in capitals, and keeps the code in small letters', async () => {
    const { qrs } = world({ dense: true });
    expect(await qrs.create(1, to, null)).toMatchObject({
      code: '11111111',
      shortLink: 'HTTPS://S.EXAMPLE/11111111',
    });
    expect(sampleShortLink({ shortUrl: 'https://s.example', denseLinks: true })).toMatch(
      /^HTTPS:\/\/S\.EXAMPLE\/[0-9A-HJKMNP-TV-Z]{8}$/,
    );
  });

  test('an invalid URL: nothing else is asked', async () => {
    const { qrs, asked } = world({ answer: flagged, verdict: unreadable });
    expect((await refusal(qrs.create(1, 'ftp://a/', retry)))[0]).toBe('invalid_url');
    expect((await refusal(qrs.create(1, 'https://s.example/01234567', null)))[0]).toBe(
      'invalid_url',
    );
    expect(asked).toEqual([]);
  });

  test('a flagged destination: refused before the design, naming the list and its entry', async () => {
    const { qrs, asked } = world({ answer: flagged, verdict: unreadable });
    const [code, message] = await refusal(qrs.create(1, to, null));
    expect(code).toBe('unsafe_url');
    expect(message).toContain('"example.com/"');
    expect(message).toContain('"phish"');
    expect(asked).toEqual([`check ${to}`]);
  });

  test('an unreadable design: refused with reason and advice, nothing stored', async () => {
    const { qrs, asked } = world({ verdict: unreadable });
    const [code, message] = await refusal(qrs.create(1, to, null));
    expect(code).toBe('design_unreadable');
    expect(message).toEndWith('Too pale. Make it black.');
    expect(asked.filter((step) => step.startsWith('insert'))).toEqual([]);
  });

  test('a code that is taken: another one is tried, and judged as well', async () => {
    const { qrs, asked } = world({ outcomes: ['taken', 'taken', 'stored'] });
    expect((await qrs.create(1, to, null)).code).toBe('33333333');
    expect(asked.filter((step) => step.startsWith('judge'))).toHaveLength(3);
  });

  test('no free code at all: a fault of ours, after a bounded number of tries', async () => {
    const { qrs, asked } = world({ outcomes: ['taken'] });
    await expect(qrs.create(1, to, null)).rejects.toThrow(/no free code/);
    expect(asked.filter((step) => step.startsWith('insert'))).toHaveLength(5);
  });

  const first = {
    ...earlier,
    destination: to,
    status: 'active',
    scans: 0,
    lastScanMs: null,
  } as const;

  test('a retry is answered with the first result as it was, and nothing is checked or drawn', async () => {
    const { qrs, asked } = world({ known: earlier, answer: flagged, verdict: unreadable });
    expect(await qrs.create(1, to, retry)).toEqual(first);
    expect(asked).toEqual(['retry']);
  });

  test('and so is one that comes while the first is still at work', async () => {
    const { qrs } = world({ outcomes: [{ earlier }] });
    expect(await qrs.create(1, to, retry)).toEqual(first);
  });

  test('a destination that could be checked only in part is looked at again', async () => {
    const { qrs, asked } = world({ answer: { flagged: false, checked: 'partly' } });
    await qrs.create(1, to, null);
    expect(asked).toContain('look again at 11111111');
  });

  test('and so is one that was held against a list that has changed before the code was stored', async () => {
    const { qrs, asked } = world({ listChanges: true });
    await qrs.create(1, to, null);
    expect(asked).toContain('look again at 11111111');
    const { qrs: others, asked: ofOthers } = world();
    await others.create(1, to, null);
    expect(ofOthers).not.toContain('look again at 11111111');
  });
});

describe('change', () => {
  const known = { ...earlier, status: 'active' } as const;

  test('the QR is found before the body is read, and the body before anything is checked', async () => {
    const { qrs, asked } = world({ known });
    let reads = 0;
    const url = async () => {
      reads++;
      return 'nonsense';
    };
    for (const [accountId, code] of [
      [2, known.code],
      [1, 'other000'],
      [1, null],
    ] as const)
      expect((await refusal(qrs.changeDestination(accountId, code, url)))[0]).toBe('not_found');
    expect(reads).toBe(0);
    expect((await refusal(qrs.changeDestination(1, known.code, url)))[0]).toBe('invalid_url');
    expect(reads).toBe(1);
    expect(asked.filter((step) => !step.startsWith('find'))).toEqual([]);
  });

  test('what the body throws goes through', async () => {
    const { qrs } = world({ known });
    const broken = () => Promise.reject(new ApiError('invalid_json'));
    expect((await refusal(qrs.changeDestination(1, known.code, broken)))[0]).toBe('invalid_json');
  });

  test('a flagged destination changes nothing', async () => {
    const { qrs, asked } = world({ known, answer: flagged });
    expect((await refusal(qrs.changeDestination(1, known.code, async () => to)))[0]).toBe(
      'unsafe_url',
    );
    expect(asked).toEqual([`find ${known.code}`, `check ${to}`]);
  });

  test('the design is not asked again: what is printed is printed', async () => {
    const { qrs, asked } = world({ known, verdict: unreadable });
    const changed = await qrs.changeDestination(1, known.code, async () => to);
    expect(changed).toEqual({ ...known, destination: to });
    expect(asked.at(-1)).toBe(`change ${known.code} to ${to} at ${now}`);
  });

  test('pausing never lifts a block', async () => {
    const { qrs, asked } = world({ known });
    await qrs.setPaused(1, known.code, true);
    await qrs.setPaused(1, known.code, false);
    expect(asked.filter((step) => step.includes('from'))).toEqual([
      `${known.code} from active to paused`,
      `${known.code} from paused to active`,
    ]);
    expect((await refusal(qrs.setPaused(2, known.code, true)))[0]).toBe('not_found');
  });
});

test('an image is that of the link and the design as they were created, drawn once', async () => {
  const { qrs, asked } = world();
  const draw = async (format: 'png' | 'svg', widthPx: number) => [
    ...(await qrs.image(earlier, format, widthPx)),
  ];
  expect(await draw('svg', 0)).toEqual([1]);
  expect(await draw('png', 200)).toEqual([2, 200]);
  expect(await draw('png', 201)).toEqual([2, 201]);
  expect(await draw('png', 200)).toEqual([2, 200]);
  expect(asked.filter((step) => !step.startsWith('design'))).toEqual([
    `svg ${earlier.shortLink} ${JSON.stringify(centeredLogo)}`,
    `png ${earlier.shortLink} 200`,
    `png ${earlier.shortLink} 201`,
  ]);
  expect(new Set(asked.filter((step) => step.startsWith('design')))).toEqual(new Set(['design 5']));
});

test('an image draws the logo as it was fitted when the code was created', async () => {
  const { qrs, asked } = world();
  const created = await qrs.create(1, to, null);
  await qrs.image(await qrs.imageSource(1, created.code), 'svg', 0);
  expect(asked.at(-1)).toBe(`svg ${created.shortLink} ${JSON.stringify(readable.logoPlacement)}`);
});

test('a page says what was asked for', async () => {
  expect(await world().qrs.list(1, 10, 20)).toEqual({ qrs: [], total: 3, limit: 10, offset: 20 });
});
