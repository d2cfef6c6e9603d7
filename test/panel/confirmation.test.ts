import { afterAll, describe, expect, test } from 'bun:test';
import { confirmationLifetimeMs } from '../../src/core/accounts/session.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, password, signedIn } from './client.ts';
import { fieldOf, headingOf, parsePage, sentFields, textOf } from './page.ts';
import { panelRoutes } from './routes.ts';
import { turnOn } from './second-factor.ts';

const server = await startServer(oneProcess);
afterAll(server.close);

/** A session that is older than a confirmation counts, such as that of a stolen cookie. */
const old = { isOperator: true, ageMs: confirmationLifetimeMs + 60_000 };
const question = 'Confirm that it’s you';
let operators = 0;
const oldOperator = async () => {
  const email = `old-${operators++}@example.org`;
  return { email, client: await signedIn(server, email, old) };
};
const victimId = await server.addAccount('victim@example.org', {
  passwordHash: await Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8 }),
});
const victim = `/account/accounts/${victimId}`;
const newOperator = (email: string) => ({ email, plan: '', operator: 'yes' });

/** Answers the question of a page. */
const answer = async (client: PanelClient, shown: string, fields: Record<string, string>) => {
  const form = parsePage(shown).forms.find(({ action }) => action.endsWith('/account/confirm'));
  return client.post('/account/confirm', { ...sentFields(form), ...fields });
};
/** Returns what a thief would be after. */
const stateOf = async () => ({
  accounts: JSON.parse((await server.cli(['account', 'list', '--json'])).stdout),
  victim: JSON.parse(
    (await server.cli(['account', 'show', 'victim@example.org', '--json'])).stdout,
  ),
});

describe('what an operator does to other accounts', () => {
  const forms = panelRoutes.filter(
    ({ method, path }) => method === 'POST' && path.startsWith('/account/accounts'),
  );

  test('is listed', () => {
    expect(forms.map(({ path }) => path.replace('/account/accounts', ''))).toEqual([
      '',
      '/:id/plan',
      '/:id/sign-out',
      '/:id/link',
      '/:id/second-factor',
      '/:id/delete',
    ]);
  });

  test('does nothing with a stolen cookie alone', async () => {
    const { client } = await oldOperator();
    const owner = await signedIn(server, 'present@example.org');
    const before = await stateOf();
    const typed = {
      ...newOperator('thief@example.org'),
      password: 'typed by a thief',
      codes: 'keep',
      csrf: await client.csrf(),
    };
    for (const { path } of forms) {
      const email = path.endsWith('/delete') ? 'victim@example.org' : typed.email;
      const to = path.replace(':id', String(victimId));
      const { status, text } = await client.post(to, { ...typed, email });
      expect([path, status, headingOf(text)]).toEqual([path, 401, question]);
      expect(text).not.toMatch(/account\/link\/|typed by a thief|thief@/);
    }
    expect(await stateOf()).toEqual(before);
    expect((await owner.get('/account')).status).toBe(200);
  });

  test('is possible for ten minutes after the password', async () => {
    const { client, email } = await oldOperator();
    const form = { csrf: await client.csrf(), ...newOperator('chosen@example.org') };
    const asked = await client.post('/account/accounts', form);
    expect(textOf(asked.text)).toContain('Nothing was changed. Confirm, then press Back');
    const wrong = await answer(client, asked.text, { password: 'not the password' });
    expect([wrong.status, headingOf(wrong.text)]).toEqual([422, question]);
    expect((await client.post('/account/accounts', form)).status).toBe(401);
    const { to } = await answer(client, wrong.text, { password });
    expect(to).toBe('/account/accounts');
    expect(textOf((await client.get('/account/accounts')).text)).toContain(
      'You have confirmed that it’s you',
    );
    expect((await client.post('/account/accounts', form)).text).toContain('/account/link/');
    expect((await client.post(`${victim}/link`, form)).text).toContain('/account/link/');
    expect(server.log()).toContain(`identity confirmed address="127.0.0.1" by="${email}"`);
  });

  test('asks for the second factor where it is on, each code once', async () => {
    const { client } = await oldOperator();
    const { recoveryCodes } = await turnOn(client, password);
    const form = { csrf: await client.csrf() };
    const asked = await client.post(`${victim}/link`, form);
    expect([fieldOf(asked.text, 'password'), fieldOf(asked.text, 'code')?.name]).toEqual([
      undefined,
      'code',
    ]);
    for (const guess of ['000000', password]) {
      const fields = { code: guess, password };
      expect((await answer(client, asked.text, fields)).status).toBe(422);
    }
    expect((await client.post(`${victim}/link`, form)).status).toBe(401);
    const code = recoveryCodes[0] ?? '';
    expect((await answer(client, asked.text, { code })).status).toBe(303);
    expect((await client.post(`${victim}/link`, form)).status).toBe(200);
    expect((await answer(client, asked.text, { code })).status).toBe(422);
  });

  test('cannot be guessed: failed confirmations are throttled, in all sessions of the account', async () => {
    const { client } = await oldOperator();
    const form = { csrf: await client.csrf() };
    const asked = await client.post(`${victim}/link`, form);
    const guess = () => answer(client, asked.text, { password: 'not the password' });
    const texts: string[] = [];
    for (let n = 0; n < 12; n++) texts.push(textOf((await guess()).text));
    expect(texts.at(-1)).toContain('Too many attempts');
    expect((await answer(client, asked.text, { password })).status).toBe(422);
    expect((await client.post(`${victim}/link`, form)).status).toBe(401);
  });
});

test('a confirmation is of one session: that of the owner does not help the thief', async () => {
  const { client: thief, email } = await oldOperator();
  const owner = createPanelClient(server.origin);
  expect((await owner.post('/account/sign-in', { email, password })).status).toBe(303);
  const csrf = await owner.csrf();
  expect((await owner.post(`${victim}/link`, { csrf })).status).toBe(200);
  const form = { csrf: await thief.csrf() };
  expect((await thief.post(`${victim}/link`, form)).status).toBe(401);
});

test('nobody makes a link for the own account', async () => {
  const client = await signedIn(server, 'self@example.org', { isOperator: true });
  const { text } = await client.get('/account/accounts?q=self@');
  const own = /\/account\/accounts\/\d+/.exec(text)?.[0] ?? '';
  expect((await client.get(own)).text).not.toContain(`${own}/link`);
  const refused = await client.post(`${own}/link`, { csrf: await client.csrf() });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('Nobody makes a link for the own account.'),
  ]);
  expect(refused.text).not.toContain('/account/link/');
});
