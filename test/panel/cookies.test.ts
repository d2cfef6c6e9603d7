import { expect, test } from 'bun:test';
import { readCookies } from '../../src/panel/routing/cookies.ts';

test.each([
  ['a=b; waymark-session=one; waymark-device=two', 'one', 'two'],
  ['waymark-device=two;waymark-session=one', 'one', 'two'],
  [' waymark-session = one ; x', 'one', null],
  ['waymark-session=', '', null],
  ['=waymark-session; xwaymark-session=one; __Host-waymark-device=two', null, null],
  ['', null, null],
  [null, null, null],
])('of the cookies %p the session is %p and the device %p', (header, session, device) => {
  expect(readCookies(header, false)).toEqual({ session, device });
});

test('over https only those count that no other host can have set', () => {
  const header = 'waymark-session=theirs; __Host-waymark-session=ours; waymark-device=theirs';
  expect(readCookies(header, true)).toEqual({ session: 'ours', device: null });
});
