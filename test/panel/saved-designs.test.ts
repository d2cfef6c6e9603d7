import { expect, test } from 'bun:test';
import { designPresets } from '../../src/core/designs/presets.ts';
import { colorsOf, decodePicture } from '../support/pixels.ts';
import { sharedServer } from '../support/server.ts';
import { signedIn } from './client.ts';
import { fieldOf, imagesOf, textOf } from './page.ts';

const server = await sharedServer();
const anna = await signedIn(server, 'designs@example.org');
const csrf = await anna.csrf();

const colors = { csrf, background: '#ffffff' };
const save = (foreground: string, design_name: string) =>
  anna.post('/account/design', { ...colors, do: 'save', foreground, design_name });
const change = (action: string, saved: string, name = '') =>
  anna.post(`/account/design/saved/${action}`, { csrf, saved, name });
const designPage = async (query = '') => (await anna.get(`/account/design${query}`)).text;
const foregroundOf = (text: string) => fieldOf(text, 'foreground')?.value;
/** Creates a code and returns the SVG of its image. */
const createIn = async (design: string) => {
  const form = { csrf, url: 'https://example.org/', design, attempt: crypto.randomUUID() };
  const { to } = await anna.post('/account/codes', form);
  return (await anna.get(`${(to ?? '').replace(/\?.*/, '')}/image.svg`)).text;
};

test('a design with a name is chosen for single codes, and the default stays', async () => {
  expect(await designPage()).not.toContain('Your designs');
  expect(fieldOf((await anna.get('/account/new')).text, 'design')).toBeUndefined();
  const { to } = await save('#7a1f5c', '  Frühling & Co ');
  expect(to).toBe('/account/design?name=Fr%C3%BChling+%26+Co');
  expect(foregroundOf((await anna.get(to ?? '')).text)).toBe('#7a1f5c');
  expect(foregroundOf(await designPage())).toBe('#000000');
  expect(fieldOf((await anna.get('/account/new')).text, 'design')?.type).toBe('select');
  expect(await createIn('Frühling & Co')).toContain('#7a1f5c');
  expect(await createIn('')).not.toContain('#7a1f5c');
});

test('a design is saved again, renamed, made the default and deleted', async () => {
  await save('#111111', 'Bar');
  await save('#222222', 'Bar');
  expect(foregroundOf(await designPage('?name=Bar'))).toBe('#222222');
  await save('#333333', 'Kitchen');
  const taken = await change('rename', 'Bar', 'Kitchen');
  expect([taken.status, taken.text.includes('Another saved design')]).toEqual([422, true]);
  expect(fieldOf(taken.text, 'name')?.value).toBe('Kitchen');
  expect((await change('rename', 'Bar', ' Terrace ')).to).toBe('/account/design?name=Terrace');
  expect((await change('default', 'Terrace')).to).toBe('/account/design');
  expect(foregroundOf(await designPage())).toBe('#222222');
  await change('delete', 'Terrace');
  expect(await designPage()).not.toContain('Terrace');
  expect(foregroundOf(await designPage())).toBe('#222222');
  const form = { csrf, url: 'https://a.example', design: 'Terrace' };
  const gone = await anna.post('/account/codes', form);
  expect([gone.status, gone.text.includes('There is no saved design')]).toEqual([422, true]);
});

test('rejected fields keep the values of the saved design, and suggestions keep its name', async () => {
  await save('#123456', 'Shop');
  const form = { ...colors, base: 'Shop', design_name: 'Shop', do: 'advice', foreground: 'red' };
  const preview = await anna.post('/account/design', form);
  expect(foregroundOf(preview.text)).toBe('#123456');
  expect(fieldOf(preview.text, 'design_name')?.value).toBe('Shop');
});

test("another account's designs cannot be used", async () => {
  await save('#7a1f5c', 'Secret');
  const ben = await signedIn(server, 'designs-ben@example.org');
  const form = { csrf: await ben.csrf(), saved: 'Secret', name: 'x' };
  for (const action of ['default', 'rename', 'delete'])
    expect((await ben.post(`/account/design/saved/${action}`, form)).status).toBe(422);
  const [picture = ''] = imagesOf(await designPage('?name=Secret')).filter((path) =>
    path.includes('/saved/'),
  );
  expect((await anna.get(picture)).status).toBe(200);
  expect((await ben.get(picture)).status).toBe(404);
  expect((await ben.get('/account/design?name=Secret')).status).toBe(422);
});

test('the preview says what a design would score without what costs most', async () => {
  const check = async (foreground: string) =>
    textOf((await anna.post('/account/design', { csrf, do: 'preview', foreground })).text);
  expect(await check('#9a3412')).toMatch(/In black on white, this design has (9\d|100)\./);
  expect(await check('#000000')).not.toContain('this design has');
  expect(await check('#fdba74')).toContain('Pattern and background are too close');
});

test.each(designPresets.map(({ name }) => name))('the preset %s can be read', async (name) => {
  const picture = await anna.get(`/account/design/presets/${name}`);
  const drawn = colorsOf(await decodePicture(picture.bytes));
  expect(drawn).toContain(designPresets.find((one) => one.name === name)?.changes.foreground ?? '');
  const { text } = await anna.post('/account/design', { csrf, do: `preset ${name}` });
  expect(textOf(text)).toMatch(/Phones can read it.*(100|9\d) of 100/s);
});
