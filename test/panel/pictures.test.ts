import { beforeAll, describe, expect, test } from 'bun:test';
import { finderShapes, moduleShapes } from '../../src/core/designs/design.ts';
import { pictureLifetimeMs } from '../../src/core/designs/pictures.ts';
import { colorsOf, decodePicture } from '../support/pixels.ts';
import { sampleOf } from '../support/sample.ts';
import { sharedServer } from '../support/server.ts';
import { createCode, type PanelClient, signedIn } from './client.ts';
import { hiddenValue, imagesOf } from './page.ts';
import { heavyLogo } from './traffic.ts';

const server = await sharedServer();
const email = 'painter@example.org';
const other = await signedIn(server, 'stranger@example.org');
const logoPng = new Uint8Array((await heavyLogo(7)).png);

/** Returns a design page's logo and preview. */
const picturesOf = (html: string) =>
  imagesOf(html)
    .filter((source) => source.startsWith('data:image/'))
    .map((source) => Buffer.from(source.split(',')[1] ?? '', 'base64'));

/** The fields of the design form, as the page sends them. */
const look = {
  do: 'preview',
  foreground: '#7a1f5c',
  background: '#ffffff',
  finder_color: '',
  module_shape: 'square',
  finder_shape: 'square',
  logo_size: '22',
  logo_patch: 'square',
  quiet_zone: '4',
};

describe('pictures of the design page', () => {
  let client: PanelClient;
  let csrf: string;
  const check = (fields: Record<string, string | Blob>) =>
    client.post('/account/design', { csrf, ...look, ...fields });
  beforeAll(async () => {
    client = await signedIn(server, email);
    csrf = await client.csrf();
  });

  test('are part of it', async () => {
    const { text } = await check({ logo: new Blob([logoPng]) });
    const pictures = picturesOf(text);
    expect(pictures.length).toBe(2);
    for (const picture of pictures) {
      expect(picture.length).toBeLessThan(26_000);
      expect((await decodePicture(picture)).widthPx).toBeGreaterThan(100);
    }
  });

  test('a draft keeps its logo for a day, which later forms name, and is saved with it', async () => {
    const first = await check({ logo: new Blob([logoPng]) });
    const draft_logo = hiddenValue(first.text, 'draft_logo') ?? '';
    expect(draft_logo).toMatch(/^[0-9a-f]{64}$/);
    const second = await check({ draft_logo, foreground: '#14684a' });
    expect(hiddenValue(second.text, 'draft_logo')).toBe(draft_logo);
    const preview = picturesOf(second.text)[1] ?? Buffer.alloc(0);
    expect(colorsOf(await decodePicture(preview)).size).toBeGreaterThan(9);
    expect((await check({ draft_logo, do: 'default' })).status).toBe(303);
    const saved = await client.get('/account/design');
    expect(saved.text).toContain('alt="Your logo"');
    await check({ no_logo: 'yes', do: 'default' });
  });

  test('a draft whose logo is gone says what to do, and keeps the rest', async () => {
    const { text } = await check({ logo: new Blob([logoPng]) });
    const digest = hiddenValue(text, 'draft_logo') ?? '';
    await server.onStores(async ({ accounts, pictures }) => {
      const accountId = (await accounts.findByEmail(email))?.id ?? 0;
      const keptAtMs = Date.now() - pictureLifetimeMs;
      const limits = { expiredMs: 0, maxPictures: 99 };
      await pictures.keep({ accountId, digest, content: logoPng, keptAtMs }, limits);
    });
    const late = await check({ draft_logo: digest });
    expect(late.status).toBe(422);
    expect(late.text).toContain('Choose the file again.');
    expect(late.text).toContain('value="#7a1f5c"');
    const ofOther = await other.post('/account/design', {
      ...{ csrf: await other.csrf(), ...look },
      draft_logo: digest,
    });
    expect(ofOther.status).toBe(422);
  });
});

test('a picture of 40 pixels has at most 3 kB, whatever the design', async () => {
  const logo = await heavyLogo(3);
  const shapes = moduleShapes.flatMap((moduleShape) =>
    finderShapes.map((finderShape) => ({ moduleShape, finderShape })),
  );
  // A sample has each module shape and each finder shape.
  for (const { moduleShape, finderShape } of sampleOf(shapes, finderShapes.length + 1)) {
    const owner = `${moduleShape}-${finderShape}@example.org`;
    const client = await signedIn(server, owner);
    await server.setDesign(owner, { logo, moduleShape, finderShape, logoSizePercent: 24 });
    const code = await createCode(client, 'https://example.org/');
    const [path = ''] = imagesOf((await client.get('/account/codes')).text);
    expect(path).toContain(code);
    const { bytes } = await client.get(path);
    expect(bytes.length).toBeLessThanOrEqual(3_000);
    expect((await decodePicture(bytes)).widthPx).toBeGreaterThanOrEqual(60);
  }
});
