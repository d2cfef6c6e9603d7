import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasActivePlan, parseEmail, parsePlanEnd } from '../../src/core/accounts/account.ts';

describe('the end of a plan, from what a person wrote', () => {
  test.each([
    ['2027-01-31', Date.UTC(2027, 0, 31, 23, 59, 59, 999)],
    ['2028-02-29', Date.UTC(2028, 1, 29, 23, 59, 59, 999)],
    ['2027-01-31T10:00:00Z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T10:00Z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T10:00:00.5Z', Date.UTC(2027, 0, 31, 10, 0, 0, 500)],
    ['2027-01-31T10:00:00+02:00', Date.UTC(2027, 0, 31, 8)],
    ['2027-01-31T23:00:00-05:00', Date.UTC(2027, 1, 1, 4)],
    // RFC 3339 and ISO 8601 as other programs write them.
    ['2027-01-31T10:00:00.123456789Z', Date.UTC(2027, 0, 31, 10, 0, 0, 123)],
    ['2027-01-31T10:00:00.9999Z', Date.UTC(2027, 0, 31, 10, 0, 0, 999)],
    ['2027-01-31T10:00:00,5Z', Date.UTC(2027, 0, 31, 10, 0, 0, 500)],
    ['2027-01-31T10:00:00+0200', Date.UTC(2027, 0, 31, 8)],
    ['2027-01-31T10:00:00-0330', Date.UTC(2027, 0, 31, 13, 30)],
    ['2027-01-31T10:00:00+02', Date.UTC(2027, 0, 31, 8)],
    ['2027-01-31t10:00:00z', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31 10:00:00+00:00', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T12Z', Date.UTC(2027, 0, 31, 12)],
    ['2027-01-31T12+02', Date.UTC(2027, 0, 31, 10)],
    ['2027-01-31T12,5Z', Date.UTC(2027, 0, 31, 12, 30)],
    ['2027-01-31T12:30.25Z', Date.UTC(2027, 0, 31, 12, 30, 15)],
    ['2027-01-31T24:00:00Z', Date.UTC(2027, 1, 1)],
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
    '2027-02-30T12Z',
    '2027-01-31T24:00:00.5Z',
    '2027-01-31T24:01Z',
    '2027-01-31T10:60Z',
    '2027-01-31T10:00:60Z',
    '2027-01-31T10:00:00.Z',
    '2027-01-31T10:00:00.5.5Z',
    '2027-01-31T10:00:00+24:00',
    '2027-01-31T10:00:00+02:60',
    '2027-01-31T10:00:00+2',
    '2027-01-31T10:00:00Z+02:00',
    '2027-01-31T1000Z',
    '2027-01-31TZ',
    // Whose time it is would depend on the machine.
    '2027-01-31T12',
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

  test('finer digits are cut off, and each way to write an instant means the same', () => {
    const instants = fc.date({
      min: new Date('0001-01-02'),
      max: new Date('9999-12-30'),
      noInvalidDate: true,
    });
    const offsets = fc.integer({ min: -1439, max: 1439 });
    const digits = fc.stringMatching(/^\d{0,12}$/);
    fc.assert(
      fc.property(instants, offsets, digits, (instant, offset, finer) => {
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const two = (number: number) => String(number).padStart(2, '0');
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
        const sign = offset < 0 ? '-' : '+';
        for (const colon of [':', '']) {
          const zone = `${sign}${two(hours)}${colon}${two(minutes)}`;
          for (const mark of ['.', ','])
            for (const separator of ['T', 't', ' ']) {
              const text = local.replace('T', separator).replace('.', mark) + finer + zone;
              expect([text, parsePlanEnd(text)]).toEqual([text, instant.getTime()]);
            }
        }
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
