import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { createPanelClient, password, signedIn } from './client.ts';
import { fieldOf, textOf } from './page.ts';

const server = await sharedServer();
const path = '/account/settings/email';

async function holder(name: string) {
  const client = await signedIn(server, `${name}@mail.example`);
  const change = async (fields: Readonly<Record<string, string>>) => {
    const csrf = fieldOf((await client.get(path)).text, 'csrf')?.value ?? '';
    return client.post(path, { csrf, password, ...fields });
  };
  return { client, change };
}

describe('the own e-mail address', () => {
  test('is changed with the password, and signs in from then on', async () => {
    const { client, change } = await holder('before');
    const settings = (await client.get('/account/settings')).text;
    expect(settings).toContain(`href="${path}"`);
    const { to } = await change({ email: ' After@Mail.example ' });
    expect(to).toBe('/account/settings');
    const shown = textOf((await client.get('/account/settings')).text);
    expect(shown).toContain('Your e-mail address is after@mail.example now.');
    const signIn = (email: string) =>
      createPanelClient(server.origin).post('/account/sign-in', { email, password });
    expect((await signIn('before@mail.example')).status).toBe(422);
    expect((await signIn('after@mail.example')).to).toBe('/account');
    // This browser stays signed in.
    expect((await client.get('/account')).status).toBe(200);
    const activity = textOf((await client.get('/account/activity?kind=people')).text);
    expect(activity).toContain(
      'You changed the e-mail addressbefore@mail.example → after@mail.example',
    );
  });

  test('is refused with a wrong password, if it is taken, no address, or the same', async () => {
    await server.addAccount('taken@mail.example');
    const { client, change } = await holder('stays');
    for (const [field, fields, problem] of [
      ['password', { email: 'new@mail.example', password: 'a wrong one' }, 'password is wrong'],
      ['email', { email: 'Taken@mail.example' }, 'There is already an account taken@mail.example.'],
      ['email', { email: 'no address' }, 'This is not an e-mail address.'],
      ['email', { email: 'stays@mail.example' }, 'This is the address of the account already.'],
    ] as const) {
      const { status, text } = await change(fields);
      expect([status, fieldOf(text, field)?.descriptions.at(-1)]).toEqual([
        422,
        expect.stringContaining(problem),
      ]);
    }
    expect(textOf((await client.get('/account/settings')).text)).toContain('stays@mail.example');
  });

  test('of a person in the account of somebody else is that of the person', async () => {
    const owner = await signedIn(server, 'owner@mail.example');
    const invited = await owner.post('/account/settings/people/invite', {
      ...{ csrf: await owner.csrf(), email: 'guest@mail.example', role: 'editor' },
    });
    const link = /\/account\/join\/[0-9a-f]{64}/.exec(invited.text)?.[0] ?? '';
    const { client, change } = await holder('guest');
    await client.post(`${link}/accept`, { csrf: await client.csrf() });
    const changed = await change({ email: 'guest-2@mail.example' });
    expect(changed.to).toBe('/account/settings');
    const people = textOf((await owner.get('/account/settings/people')).text);
    expect(people).toContain('guest-2@mail.example');
    expect(people).not.toContain('guest@mail.example');
    expect(textOf((await owner.get('/account/settings')).text)).toContain('owner@mail.example');
  });

  test('that was changed elsewhere is named at the next sign-in of this browser', async () => {
    const { client } = await holder('noticed');
    const thief = createPanelClient(server.origin);
    await thief.post('/account/sign-in', { email: 'noticed@mail.example', password });
    const csrf = await thief.csrf();
    await thief.post(path, { csrf, password, email: 'stolen@mail.example' });
    await client.post('/account/sign-in', { email: 'stolen@mail.example', password });
    const shown = textOf((await client.get('/account/settings')).text);
    expect(shown).toContain('Since your last sign-in here');
    expect(shown).toContain('Your e-mail address was changed.');
  });
});
