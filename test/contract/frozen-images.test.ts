import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';

const server = await startServer();
afterAll(server.close);
const { api, email } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/printed');
const paths = [`${qr.code}.png`, `${qr.code}.png?size=512`, `${qr.code}.svg`];

async function download() {
  const answers = await Promise.all(paths.map((path) => api.call(`GET /qrs/${path}`)));
  return answers.map(({ bytes, headers }) => ({ bytes, etag: headers.get('etag') }));
}

const printed = await download();

const follow = async () => (await visit(qr.url)).to;

// The tests depend on each other, in this order.
describe('the images of a QR never change, to the byte', () => {
  test('by a new default design, which applies to new QRs only', async () => {
    await server.setDesign(email, { foreground: '#003366', background: '#ffffee' });
    expect(await download()).toEqual(printed);
    const later = await api.create();
    const { text } = await api.call(`GET /qrs/${later.code}.svg`);
    expect(text).toContain('#003366');
    expect((await api.call(`GET /qrs/${qr.code}.svg`)).text).not.toContain('#003366');
  });

  test('by PATCH', async () => {
    await api.call(`PATCH /qrs/${qr.code}`, { url: 'https://example.org/patched' });
    expect(await download()).toEqual(printed);
  });

  test('by a crash and another PUBLIC_URL: url stays, png and svg change, new QRs get the new link', async () => {
    await follow();
    const before = await api.read(qr.code);
    const moved = 'https://new.example.org';
    await server.kill();
    await server.start({
      WAYMARK_PUBLIC_URL: moved,
      WAYMARK_SHORT_URL_ALIASES: server.origin,
    });
    expect(await download()).toEqual(printed);
    expect(await api.read(qr.code)).toEqual({
      ...before,
      png: `${moved}/api/v1/qrs/${qr.code}.png`,
      svg: `${moved}/api/v1/qrs/${qr.code}.svg`,
    });
    const later = await api.create();
    expect(later.url).toBe(`${moved}/${later.code}`);
    expect(await follow()).toBe('https://example.org/patched');
  });
});
