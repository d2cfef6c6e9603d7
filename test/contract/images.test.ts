import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { decoders } from '../support/decoders.ts';
import { decodePng, pngSize } from '../support/png.ts';
import { sharedServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

const server = await sharedServer();
const { api, email } = await server.account();
const plain = await api.create();

const logoFile = join(import.meta.dir, '../golden/logo.png');
const dressing = ['--logo', logoFile, '--foreground', '#112255', '--background', '#fff6e8'];
const dressed = await server.cli(['design', 'set', email, ...dressing]);
if (dressed.exitCode !== 0) throw new Error(dressed.stderr);
const withLogo = await api.create();
const captioning = ['--caption', 'Scan for the menu', '--caption-place', 'above'];
const captioned = await server.cli(['design', 'set', email, ...captioning]);
if (captioned.exitCode !== 0) throw new Error(captioned.stderr);
const withCaption = await api.create();

const image = (path: string, headers: Record<string, string> = {}) =>
  api.call(`GET /qrs/${path}`, undefined, headers);

test('a cache must not answer other keys with an image', async () => {
  const { key, api } = await server.account();
  const { code } = await api.create();
  for (const format of ['png', 'svg']) {
    const { headers } = await api.call(`GET /qrs/${code}.${format}`);
    expect([headers.get('vary'), headers.get('cache-control')]).toEqual([
      'Authorization',
      'private, max-age=31536000, immutable',
    ]);
    const etag = headers.get('etag') ?? '';
    const same = await server
      .api(key)
      .call(`GET /qrs/${code}.${format}`, undefined, { 'If-None-Match': etag });
    expect([same.status, same.headers.get('vary')]).toEqual([304, 'Authorization']);
  }
});

describe('PNG and SVG encode the short link at error correction level H', () => {
  for (const decoder of decoders) {
    test.skipIf(!decoder.present).each([
      ['plain PNG', plain, 'png'],
      ['PNG with logo and colours', withLogo, 'png'],
      ['small PNG', plain, 'png?size=256'],
      ['plain SVG', plain, 'svg'],
      ['SVG with logo and colours', withLogo, 'svg'],
      ['PNG with a caption', withCaption, 'png?size=400'],
      ['SVG with a caption', withCaption, 'svg'],
    ] as const)(`${decoder.name} reads the %s`, async (_name, qr, path) => {
      const { bytes, text } = await image(`${qr.code}.${path}`);
      const fitTo = { mode: 'width', value: 800 } as const;
      const png = path === 'svg' ? new Resvg(text, { fitTo }).render().asPng() : bytes;
      const reading = await decoder.read(png);
      expect(reading.text).toBe(qr.url);
      if (reading.errorCorrectionLevel !== undefined)
        expect(reading.errorCorrectionLevel).toBe('H');
    });
  }
});

describe('?size= on PNG: 128 to 4096 pixels, default 1024', () => {
  test.each([
    ['', 1024],
    ['?size=128', 128],
    ['?size=333', 333],
    // As `limit` and `offset`: clamped to the range, and the default for anything but a whole number.
    ['?size=127', 128],
    ['?size=-500', 128],
    ['?size=4097', 4096],
    ['?size=', 1024],
    ['?size=abc', 1024],
    ['?size=300.5', 1024],
    ['?size=0x200', 1024],
  ])('.png%s is %i pixels wide and high', async (query, widthPx) => {
    const { status, bytes } = await image(`${plain.code}.png${query}`);
    expect(status).toBe(200);
    expect(pngSize(bytes)).toEqual({ widthPx, heightPx: widthPx });
  });

  test.each([333, 1024])(
    'at %i pixels modules are whole pixels: two colours, no shade between',
    async (size) => {
      const { rgba } = decodePng((await image(`${plain.code}.png?size=${size}`)).bytes);
      const colors = new Set(new Uint32Array(rgba.buffer));
      expect([...colors].sort()).toEqual([0xff000000, 0xffffffff]);
    },
  );
});

describe('the SVG has the logo embedded', () => {
  test('as data, not as an address, and runs nothing', async () => {
    const { text } = await image(`${withLogo.code}.svg`);
    expect(text).toMatch(/^(<\?xml[^>]*\?>\s*)?<svg /);
    expect(text).toMatch(/<image[^>]+href="data:image\/png;base64,[A-Za-z0-9+/=]{50,}"/);
    const addresses = [...text.matchAll(/(?:href|src)="([^"]{0,40})/g)].map(([, value]) => value);
    expect(addresses.filter((address) => !address?.startsWith('data:image/png'))).toEqual([]);
    expect(text).not.toMatch(/<script|javascript:|\son\w+=|<foreignObject/i);
  });

  test('and none where the design has none', async () => {
    expect((await image(`${plain.code}.svg`)).text).not.toContain('<image');
  });
});

describe.each(['png', 'svg'])('conditional requests for the %s', (kind) => {
  const path = `${plain.code}.${kind}`;

  test('a strong ETag and Cache-Control: private', async () => {
    const { headers } = await image(path);
    expect(headers.get('etag')).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(headers.get('cache-control')).toMatch(/\bprivate\b/);
    expect(headers.get('cache-control')).not.toMatch(/\bpublic\b/);
  });

  test.each([
    ['the ETag', (etag: string) => etag],
    ['the ETag among others', (etag: string) => `"a", ${etag}, "b,c"`],
    ['the ETag marked weak', (etag: string) => `W/${etag}`],
    ['a star', () => '*'],
  ])('If-None-Match with %s: 304 without a body', async (_name, header) => {
    const etag = (await image(path)).headers.get('etag') ?? '';
    const answer = await image(path, { 'If-None-Match': header(etag) });
    expect(answer.status).toBe(304);
    expect(answer.bytes).toHaveLength(0);
    expect(answer.headers.get('etag')).toBe(etag);
  });

  test.each(['"other"', 'W/"other"', ''])('If-None-Match: %s → 200', async (header) => {
    const answer = await image(path, { 'If-None-Match': header });
    expect(answer.status).toBe(200);
    expect(answer.bytes.length).toBeGreaterThan(0);
  });
});

describe('images', () => {
  test('of other codes, kinds and sizes have other ETags', async () => {
    const paths = [plain, withLogo].flatMap(({ code }) =>
      ['.svg', '.png', '.png?size=200', '.png?size=201'].map((rest) => code + rest),
    );
    const etags = await Promise.all(
      paths.map(async (path) => (await image(path)).headers.get('etag')),
    );
    expect(new Set(etags).size).toBe(paths.length);
  });

  test('of unknown codes are 404 in JSON', async () => {
    for (const path of ['zzzzzzzz.png', 'zzzzzzzz.svg', 'zzzzzzzz.png?size=abc'])
      expect(outcome(await image(path))).toBe('404 not_found');
  });
});
