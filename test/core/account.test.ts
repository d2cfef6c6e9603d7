import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasActivePlan, parsePlanEnd } from '../../src/core/accounts/account.ts';
import { parseEmail, parseNewEmail, storedEmails } from '../../src/core/accounts/email.ts';
import { Refused } from '../../src/core/errors.ts';
import { words } from '../support/words.ts';

describe('parsePlanEnd', () => {
  test.each([
    ['never', null],
    ['2027-01-31', Date.UTC(2027, 0, 31, 23, 59, 59, 999)],
    ['2028-02-29', Date.UTC(2028, 1, 29, 23, 59, 59, 999)],
    ['1999-12-31', Date.UTC(1999, 11, 31, 23, 59, 59, 999)],
    ['2027-01-31T10:00:00Z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T10:00Z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T10:00:00.9999Z', Date.UTC(2027, 0, 31, 10, 0, 0, 999)],
    ['2027-01-31T10:00:00.123456789Z', Date.UTC(2027, 0, 31, 10, 0, 0, 123)],
    ['2027-01-31T10:00:00+02:00', Date.UTC(2027, 0, 31, 8)],
    ['2027-01-31T10:00:00-0330', Date.UTC(2027, 0, 31, 13, 30)],
    ['2027-01-31t10:00:00z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31 10:00:00+00:00', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T24:00:00Z', Date.UTC(2027, 1, 1)],
  ])('%s', (text, end) => {
    expect(parsePlanEnd(text)).toBe(end);
  });

  test.each([
    ...words(`
      tomorrow Never 31.01.2027 2027-01 2027-1-31 2027-13-01 2027-02-29 20270131 2027-01-31T
      2027-01-31T12Z 2027-01-31T25:00:00Z 2027-02-30T10:00:00Z 2027-01-31T24:01Z 2027-01-31T10:60Z
      2027-01-31T10:00:60Z 2027-01-31T10:00:00.Z 2027-01-31T10:00:00+24:00
      2027-01-31T10:00:00+02:60 1800000000000
    `),
    ...['', ' 2027-01-31', '2027-01-31 '],
    // Without an offset, the time zone would be that of the machine.
    ...['2027-01-31T10:00:00', '2027-01-31 10:00:00 GMT'],
  ])('rejects %p', (text) => {
    expect(parsePlanEnd(text)).toBeUndefined();
  });

  test('reads every instant in any time zone, and every day as its last millisecond', () => {
    const instants = fc.date({
      min: new Date('0001-01-02'),
      max: new Date('9999-12-30'),
      noInvalidDate: true,
    });
    const offsetsMinutes = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(instants, offsetsMinutes, (instant, offsetMinutes) => {
        const local = new Date(instant.getTime() + offsetMinutes * 60_000).toISOString();
        const offset = new Date(Math.abs(offsetMinutes) * 60_000).toISOString().slice(11, 16);
        const text = `${local.slice(0, -1)}${offsetMinutes < 0 ? '-' : '+'}${offset}`;
        expect(parsePlanEnd(text)).toBe(instant.getTime());
        const day = local.slice(0, 10);
        expect(new Date(parsePlanEnd(day) ?? 0).toISOString()).toBe(`${day}T23:59:59.999Z`);
      }),
    );
  });
});

test('a plan is active up to and including its end', () => {
  const isActive = [4, 5, 6].map((nowMs) => hasActivePlan({ planUntilMs: 5 }, nowMs));
  expect(isActive).toEqual([true, true, false]);
  expect(hasActivePlan({ planUntilMs: null }, Number.MAX_SAFE_INTEGER)).toBe(true);
});

// The Kelvin sign, whose small letter is an ordinary k.
const kelvin = ['\u212a@example.com', 'a@\u212a.example'];

describe('an address of a new account', () => {
  test.each([
    ['Alice@Example.ORG', 'alice@example.org'],
    ['  a@b ', 'a@b'],
    ["o'hara+qr@sub.example.co", "o'hara+qr@sub.example.co"],
    ['a@xn--mller-kva.example', 'a@xn--mller-kva.example'],
    ['..a..@127.0.0.1', '..a..@127.0.0.1'],
    [`a@${'b'.repeat(63)}.example`, `a@${'b'.repeat(63)}.example`],
  ])('%p is stored as %p, as browsers accept it', (text, stored) => {
    expect(parseNewEmail(text)).toBe(stored);
    expect(parseEmail(stored)).toBe(stored);
  });

  test.each([
    ...words('a @ a@ @b a@b@c jörg@example.com a@müller..example a@b. a@.b a@b..c a@-b a@b- a@b_c'),
    ...['', 'a b@c', 'a\n@b', 'a@b\0', '"a b"@c', '<a@b>', 'a,b@c', 'a(b)@c', 'a@[127.0.0.1]'],
    ...kelvin,
    ...[`a@${'b'.repeat(64)}.example`, `${'a'.repeat(243)}@example.org`],
  ])('rejects %p', (text) => {
    expect(() => parseNewEmail(text)).toThrow(new Refused({ kind: 'no e-mail address' }));
  });
});

describe('an address of an existing account', () => {
  test.each([
    ['a@Müller.example', ['a@müller.example', 'a@xn--mller-kva.example']],
    ['jörg@xn--mller-kva.example', ['jörg@xn--mller-kva.example']],
    ['a@127.1', ['a@127.1']],
    ['a@ö.example:80/x', ['a@ö.example:80/x']],
    ['nobody', []],
  ])('%p may be stored as %p', (text, forms) => {
    expect(storedEmails(text)).toEqual(forms);
  });

  test.each([
    ['Alice@Example.ORG', 'alice@example.org'],
    ['  a@b ', 'a@b'],
    ["o'hara+qr@sub.example.co", "o'hara+qr@sub.example.co"],
    ['jörg@müller.example', 'jörg@müller.example'],
    [`${'a'.repeat(242)}@example.org`, `${'a'.repeat(242)}@example.org`],
  ])('%p is stored as %p', (text, stored) => {
    expect(parseEmail(text)).toBe(stored);
    expect(parseEmail(stored)).toBe(stored);
  });

  test.each([
    ...words('a @ a@ @b a@b@c'),
    ...kelvin,
    ...['', 'a b@c', 'a\n@b', 'a@b\0', `${'a'.repeat(243)}@example.org`],
  ])('rejects %p', (text) => {
    expect(parseEmail(text)).toBeNull();
  });
});
