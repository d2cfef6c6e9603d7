import { expect, test } from 'bun:test';
import { textsOf } from '../../src/languages/texts.ts';
import { deviceOf, sayDevice } from '../../src/panel/request/device.ts';
import { sharedServer } from '../support/server.ts';
import { createPanelClient, password, signedIn, signIn } from './client.ts';
import { parsePage, textOf } from './page.ts';

const server = await sharedServer();

const sessions = '/account/settings/sessions';
const end = `${sessions}/end`;
/** Returns the sessions that can be ended, as the forms of the settings send them. */
const othersOf = async (client: Awaited<ReturnType<typeof signIn>>) => {
  const { forms } = parsePage((await client.get(sessions)).text);
  return forms
    .filter(({ action }) => action === end)
    .map(({ fields }) => fields.find(({ name }) => name === 'session')?.value ?? '');
};

const email = 'sessions@example.org';

test('the list of sessions names devices and the own one, and ends one or all others', async () => {
  const first = await signedIn(server, email);
  const phone = createPanelClient(server.origin);
  const agent =
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0 <script>alert(1)</script>';
  await phone.post('/account/sign-in', { email, password }, { 'User-Agent': agent });
  const third = await signIn(server, email);
  const text = textOf((await first.get(sessions)).text);
  expect(text).toContain('Firefox on Android');
  expect(text).not.toContain('alert');
  expect(text.match(/This one/g)).toHaveLength(1);

  const csrf = await first.csrf();
  const hashes = await othersOf(first);
  expect(hashes).toHaveLength(2);
  const stranger = await signedIn(server, 'sessions-ben@example.org');
  for (const session of hashes) await stranger.post(end, { csrf: await stranger.csrf(), session });
  expect(await othersOf(first)).toHaveLength(2);
  // The one that was used last is first.
  await first.post(end, { csrf, session: hashes[0] ?? '' });
  expect((await first.get(sessions)).text).toContain('The session has ended.');
  expect((await third.get('/account')).status).toBe(303);
  expect((await phone.get('/account')).status).toBe(200);
  await first.post(`${end}-others`, { csrf });
  expect((await phone.get('/account')).status).toBe(303);
  expect((await first.get('/account')).status).toBe(200);
  expect(await othersOf(first)).toEqual([]);
  expect(server.log()).toMatch(/ session ended address="127.0.0.1" by="sessions@example.org"/);
  expect(server.log()).toMatch(/ other sessions ended address="127.0.0.1" by="sessions@/);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome on ChromeOS',
  ],
  ['curl/8.14.1 (X11; Linux x86_64)', 'Browser on Linux'],
  ['curl/8.14.1', 'Browser'],
  ['', 'Browser'],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
  expect(sayDevice(device, textsOf('en'))).toBe(device);
});

test('browser and system are said in a sentence of the language', () => {
  const english = textsOf('en');
  const other = {
    ...english,
    sessions: {
      ...english.sessions,
      unknownBrowser: 'Unbekannter Browser',
      someBrowserOn: ({ system }: { system: string }) => `Browser unter ${system}`,
      browserOn: ({ browser, system }: { browser: string; system: string }) =>
        `${browser} unter ${system}`,
    },
  };
  expect(
    ['Samsung Internet on Android', 'Browser on Linux', 'Firefox', ''].map((device) =>
      sayDevice(device, other),
    ),
  ).toEqual([
    'Samsung Internet unter Android',
    'Browser unter Linux',
    'Firefox',
    'Unbekannter Browser',
  ]);
});
