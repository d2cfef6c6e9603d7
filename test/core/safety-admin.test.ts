import { describe, expect, test } from 'bun:test';
import {
  createSafetyAdmin,
  type Explanation,
  type ReviewedCode,
} from '../../src/core/safety/admin.ts';

const watched: ReviewedCode = {
  qrId: 1,
  code: 'abcd1234',
  owner: 'anna@example.org',
  destination: 'https://example.org/',
  status: 'active',
  flag: null,
};
const explanation: Explanation = {
  verdict: 'not flagged',
  decidedBy: null,
  matches: [],
  provider: null,
};

function world() {
  const asked: string[] = [];
  const blocked = new Map<string, boolean>();
  const admin = createSafetyAdmin({
    codes: {
      find: async (code) => (code === watched.code ? watched : null),
      flagged: async () => [],
      blocked: async () => [],
      queueLength: async () => 0,
    },
    check: {
      status: async () => ({ lists: [], provider: null, isRecheckDue: false, warnings: [] }),
      rules: async () => [],
      addRule: async () => null,
      removeRule: async () => false,
      explain: async (url) => {
        asked.push(url);
        return explanation;
      },
    },
    store: {
      setBlocked: async (code, block) => {
        if (code === watched.code) blocked.set(code, block);
        return code === watched.code;
      },
    },
    shortBases: ['https://qr.example.com', 'https://old.example.com/q'],
  });
  return { admin, asked, blocked };
}

describe('what an operator looks up', () => {
  test.each([
    'abcd1234',
    'ABCD1234',
    'https://qr.example.com/abcd1234',
    'HTTPS://QR.EXAMPLE.COM/ABCD1234',
    'https://old.example.com/q/abcd1234',
    'qr.example.com/ABCD1234',
  ])('is a code by %p', async (text) => {
    expect(await world().admin.lookUp(text)).toEqual({ kind: 'code', code: watched });
  });

  test('may be a code that nobody has', async () => {
    expect(await world().admin.lookUp('zzzzzzzz')).toEqual({ kind: 'nothing' });
  });

  test.each([
    'https://example.org/abcd1234',
    'https://qr.example.com/abcd1234/more',
    'https://qr.example.com/docs',
    'evil.example',
  ])('is an address by %p', async (text) => {
    const { admin, asked } = world();
    expect(await admin.lookUp(text)).toEqual({ kind: 'address', explanation });
    expect(asked).toEqual([text]);
  });
});

test('a code is blocked in its stored spelling, and one that nobody has is none', async () => {
  const { admin, blocked } = world();
  expect(await admin.setBlocked('ABCD1234', true)).toBe(true);
  expect([...blocked]).toEqual([['abcd1234', true]]);
  expect(await admin.setBlocked('zzzzzzzz', true)).toBe(false);
  expect(await admin.setBlocked('no code', true)).toBe(false);
  expect(await admin.setBlocked(undefined, true)).toBe(false);
});
