import { describe, expect, test } from 'bun:test';
import {
  createSafetyAdmin,
  type Explanation,
  type ReviewedCode,
} from '../../src/core/safety/admin.ts';
import { InvalidListRequest } from '../../src/core/safety/threat-lists.ts';

const reviewed: ReviewedCode = {
  qrId: 1,
  code: 'abcd1234',
  owner: 'anna@example.org',
  destination: 'https://example.org/',
  status: 'active',
  flag: null,
};
const explanation: Explanation = {
  url: 'https://example.org/',
  canonical: 'https://example.org/',
  expressions: ['example.org/'],
  verdict: 'not flagged',
  decidedBy: null,
  matches: [],
  provider: null,
};

function createFixture() {
  const explained: string[] = [];
  const blocked = new Map<string, boolean>();
  const admin = createSafetyAdmin({
    codes: {
      find: async (code) => (code === reviewed.code ? reviewed : null),
      flagged: async () => [],
      blocked: async () => [],
      queueLength: async () => 0,
    },
    flags: {
      setBlocked: async (code, block) => {
        if (code === reviewed.code) blocked.set(code, block);
        return code === reviewed.code;
      },
    },
    rules: {
      all: async () => [],
      find: async () => [],
      put: async () => {},
      remove: async () => false,
      revision: async () => '',
    },
    status: async () => ({ lists: [], provider: null, isRecheckDue: false, warnings: [] }),
    explain: async (url) => {
      explained.push(url);
      return explanation;
    },
    addRule: async (_, text) => {
      if (text === 'two words') throw new InvalidListRequest('That is no domain.');
    },
    shortBases: ['https://qr.example.com', 'https://old.example.com/q'],
  });
  return { admin, explained, blocked };
}

describe('an operator looks up', () => {
  test.each([
    'abcd1234',
    'ABCD1234',
    'https://qr.example.com/abcd1234',
    'HTTPS://QR.EXAMPLE.COM/ABCD1234',
    'https://old.example.com/q/abcd1234',
    'qr.example.com/ABCD1234',
  ])('a code by %j', async (text) => {
    const { admin } = createFixture();
    expect(await admin.lookUp(text)).toEqual({ kind: 'code', code: reviewed });
  });

  test('a code that does not exist', async () => {
    expect(await createFixture().admin.lookUp('zzzzzzzz')).toEqual({ kind: 'nothing' });
  });

  test.each([
    'https://example.org/abcd1234',
    'https://qr.example.com/abcd1234/more',
    'https://qr.example.com/docs',
    'evil.example',
  ])('the address %j', async (text) => {
    const { admin, explained } = createFixture();
    expect(await admin.lookUp(text)).toEqual({ kind: 'address', explanation });
    expect(explained).toEqual([text]);
  });
});

test('a code is blocked in any spelling, if it exists', async () => {
  const { admin, blocked } = createFixture();
  expect(await admin.setBlocked('ABCD1234', true)).toBe(true);
  expect([...blocked]).toEqual([['abcd1234', true]]);
  for (const text of ['zzzzzzzz', 'no code', undefined])
    expect(await admin.setBlocked(text, true)).toBe(false);
});

test('an invalid rule is explained', async () => {
  const { admin } = createFixture();
  expect(await admin.addRule('block', 'two words', '')).toBe('That is no domain.');
  expect(await admin.addRule('block', 'evil.example', '')).toBeNull();
});
