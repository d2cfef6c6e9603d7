import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { errorMessage, outcome } from '../support/wire.ts';

const server = await sharedServer();
const { api, email } = await server.account();
const sound = 'https://example.org/';
// Google's published test page, built in so that the check can be seen working without a network.
const unsafe = 'http://testsafebrowsing.appspot.com/s/malware.html';

const total = async () => (await api.list('?limit=1')).total;

describe('the destination is flagged as dangerous: 422 unsafe_url (rule 4)', () => {
  test.each([
    unsafe,
    unsafe.replace('http:', 'https:'),
    unsafe.toUpperCase().replace('/S/MALWARE.HTML', '/s/malware.html'),
    `${unsafe}?x=1`,
    `${unsafe}#fragment`,
    unsafe.replace('.com/', '.com:80/'),
    unsafe.replace('/s/', '/s/../s/./'),
    unsafe.replace('malware', '%6Dalware'),
    unsafe.replace('.com/', '.com./'),
  ])('%s', async (url) => {
    const before = await total();
    expect(outcome(await api.call('POST /qrs', { url }))).toBe('422 unsafe_url');
    expect(await total()).toBe(before);
  });

  test('PATCH keeps the old destination', async () => {
    const qr = await api.create(sound);
    const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: unsafe });
    expect(outcome(answer)).toBe('422 unsafe_url');
    expect(await api.read(qr.code)).toEqual(qr);
    expect((await visit(qr.url)).to).toBe(sound);
  });

  test('other addresses of the host are accepted', async () => {
    for (const url of ['http://testsafebrowsing.appspot.com/', 'https://appspot.com/'])
      expect(outcome(await api.call('POST /qrs', { url }))).toBe('201');
  });
});

describe('the default design does not produce a readable QR: 422 design_unreadable (rule 5)', () => {
  test('nothing is created, and the message says what to change', async () => {
    const before = await total();
    await server.setDesign(email, { foreground: '#808080', background: '#858585' });
    const answer = await api.call('POST /qrs', { url: sound });
    expect(outcome(answer)).toBe('422 design_unreadable');
    expect(errorMessage(answer)).toMatch(/contrast|dark/i);
    expect(await total()).toBe(before);
  });

  test('existing QRs still work: read, PATCH, images, redirect', async () => {
    const [old] = (await api.list('?limit=1')).data;
    if (old === undefined) throw new Error('there is no QR from before');
    expect(outcome(await api.call(`GET /qrs/${old.code}.png`))).toBe('200');
    expect(outcome(await api.call(`PATCH /qrs/${old.code}`, { url: sound }))).toBe('200');
    expect((await visit(old.url)).status).toBe(302);
  });

  test('a readable design makes creation work again', async () => {
    await server.setDesign(email, {});
    expect(outcome(await api.call('POST /qrs', { url: sound }))).toBe('201');
  });
});
