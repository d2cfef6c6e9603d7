import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasActivePlan, parseEmail, parsePlanEnd } from '../../src/core/account.ts';

describe('the end of a plan, from what a person wrote', () => {
  test.each([
    ['2027-01-31', Date.UTC(2027, 0, 31, 23, 59, 59, 999)],
    ['2028-02-29', Date.UTC(2028, 1, 29, 23, 59, 59, 999)],
    ['2027-01-31T10:00:00Z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T10:00Z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T10:00:00.5Z', Date.UTC(2027, 0, 31, 10, 0, 0, 500)],
    ['2027-01-31T10:00:00+02:00', Date.UTC(2027, 0, 31, 8)],
    ['2027-01-31T23:00:00-05:00', Date.UTC(2027, 1, 1, 4)],
    ['1999-12-31', Date.UTC(1999, 11, 31, 23, 59, 59, 999)],
    ['never', null],
  ])('%s', (text, end) => {
    expect(parsePlanEnd(text)).toBe(end);
  });

  test.each([
    '',
    'tomorrow',
    'Never',
    '31.01.2027',
    '01/31/2027',
    '2027',
    '2027-01',
    '2027-1-31',
    '2027-13-01',
    '2027-02-30',
    '2027-02-29',
    '2027-04-31',
    '2027-00-10',
    ' 2027-01-31',
    '2027-01-31 ',
    '20270131',
    '2027-01-31T',
    '2027-01-31Tnoon',
    '2027-01-31T25:00:00Z',
    '2027-02-30T10:00:00Z',
    // Whose time it is would depend on the machine.
    '2027-01-31T10:00:00',
    '2027-01-31 10:00',
    '2027-01-31 10:00:00 GMT',
    '2027-01-31 (some day)',
    '1800000000000',
    '+002027-01-31',
  ])('%p is no date', (text) => {
    expect(parsePlanEnd(text)).toBeUndefined();
  });

  test('an instant as Date writes it is itself; a day ends with its last millisecond', () => {
    const instants = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (instant) => {
        const text = instant.toISOString();
        expect(parsePlanEnd(text)).toBe(instant.getTime());
        const end = parsePlanEnd(text.slice(0, 10));
        expect(new Date(end ?? 0).toISOString()).toBe(`${text.slice(0, 10)}T23:59:59.999Z`);
      }),
    );
  });
});

test('a plan is active up to and including its end, or for ever', () => {
  expect([4, 5, 6].map((nowMs) => hasActivePlan({ planUntilMs: 5 }, nowMs))).toEqual([
    true,
    true,
    false,
  ]);
  expect(hasActivePlan({ planUntilMs: null }, Number.MAX_SAFE_INTEGER)).toBe(true);
});

describe('an e-mail address', () => {
  test.each([
    ['Alice@Example.ORG', 'alice@example.org'],
    ['  a@b ', 'a@b'],
    ["o'hara+qr@sub.example.co", "o'hara+qr@sub.example.co"],
    ['jörg@müller.example', 'jörg@müller.example'],
    [`${'a'.repeat(242)}@example.org`, `${'a'.repeat(242)}@example.org`],
  ])('%p is kept as %p', (text, kept) => {
    expect(parseEmail(text)).toBe(kept);
  });

  test.each([
    '',
    'a',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b c',
    'a\n@b',
    'a@b\0',
    `${'a'.repeat(243)}@example.org`,
  ])('%p cannot be one', (text) => {
    expect(parseEmail(text)).toBeNull();
  });

  test('what is kept is kept as itself', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const kept = parseEmail(text);
        if (kept !== null) expect(parseEmail(kept)).toBe(kept);
      }),
    );
  });
});
