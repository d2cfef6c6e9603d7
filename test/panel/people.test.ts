import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { createCode, createPanelClient, type PanelClient, password, signedIn } from './client.ts';
import { headingOf, linkOf, type PageForm, parsePage, sentFields, textOf } from './page.ts';

const server = await sharedServer();
const people = '/account/settings/people';

/** Sends a form of a page as a browser does, with what is typed into it. */
async function send(
  client: PanelClient,
  page: string,
  action: string,
  typed: Record<string, string> = {},
  isMeant: (form: PageForm) => boolean = () => true,
) {
  const { forms } = parsePage((await client.get(page)).text);
  const form = forms.find((one) => one.action === action && isMeant(one));
  if (form === undefined) throw new Error(`${page} has no form ${action}`);
  return client.post(action, { ...sentFields(form), ...typed });
}
const withValue = (name: string, value: string) => (form: PageForm) =>
  sentFields(form)[name] === value;

/** Goes to another account in the account menu. */
const enter = async (client: PanelClient, accountId: number) =>
  send(client, '/account/settings', '/account/enter', {}, withValue('enter', String(accountId)));

/** Invites somebody, and returns the path of the link. */
async function invite(owner: PanelClient, email: string, role: string): Promise<string> {
  const { status, text } = await send(owner, `${people}/invite`, `${people}/invite`, {
    email,
    role,
  });
  const path = /\/account\/join\/[0-9a-f]{64}/.exec(text)?.[0];
  if (path === undefined) throw new Error(`${status} ${textOf(text)}`);
  return path;
}

let accounts = 0;
/** Creates an account with a name of its own, and a client that is signed in. */
async function newAccount(name: string) {
  const email = `${name}-${accounts++}@people.example`;
  const client = await signedIn(server, email);
  const id = await server.onStores(
    async ({ accounts }) => (await accounts.findByEmail(email))?.id ?? 0,
  );
  return { email, client, id };
}

/** Creates an owner, and a member who has joined and works in the account. */
async function withMember(role: 'editor' | 'viewer') {
  const owner = await newAccount('owner');
  const member = await newAccount(role);
  const link = await invite(owner.client, member.email, role);
  expect((await send(member.client, link, `${link}/accept`)).to).toBe('/account');
  return { owner, member };
}

describe('an invitation', () => {
  test('lets a person with an account join, once, after the person has seen what it is', async () => {
    const owner = await newAccount('owner');
    const maria = await newAccount('maria');
    const link = await invite(owner.client, maria.email.toUpperCase(), 'editor');
    const { text } = await maria.client.get(link);
    expect(headingOf(text)).toBe(`Join ${owner.email}`);
    expect(textOf(text)).toContain(`${owner.email} invites ${maria.email} as an editor`);
    expect(textOf((await owner.client.get(people)).text)).toContain(`${maria.email}Editor · ends`);
    expect((await send(maria.client, link, `${link}/accept`)).to).toBe('/account');
    expect(textOf((await maria.client.get('/account/settings')).text)).toContain(
      `Editor in the account of ${owner.email}`,
    );
    expect(textOf((await owner.client.get(people)).text)).toMatch(
      new RegExp(`${maria.email}.*here.*Editor`, 's'),
    );
    const again = await maria.client.get(link);
    expect([again.status, headingOf(again.text)]).toEqual([
      410,
      'This invitation is no longer valid',
    ]);
    expect(server.log()).toContain(`invitation accepted address="127.0.0.1" to="${owner.email}"`);
  });

  test('gives a person without an account one with a password, without a plan', async () => {
    const owner = await newAccount('owner');
    await createCode(owner.client, 'https://example.com/of-the-owner', { name: 'Menu' });
    const email = 'new@people.example';
    const link = await invite(owner.client, email, 'viewer');
    const visitor = createPanelClient(server.origin);
    const weak = await visitor.post(link, { password: 'password12' });
    expect([weak.status, headingOf(weak.text)]).toEqual([422, `Join ${owner.email}`]);
    const joined = await visitor.post(link, { password, zone: 'Europe/Rome' });
    expect(joined.to).toBe('/account');
    const codes = await visitor.get('/account/codes');
    expect(textOf(codes.text)).toContain('Menu');
    // The zone is that of the entered account.
    expect(textOf(codes.text)).not.toContain('Rome');
    const created = await server.onStores(({ accounts }) => accounts.findByEmail(email));
    expect(created?.planUntilMs).toBeLessThan(Date.now());
    await enter(visitor, created?.id ?? 0);
    const own = await visitor.get('/account');
    expect(textOf(own.text)).toContain('Your account has no plan');
    expect(headingOf(own.text)).toBe('Overview');
    const csrf = /name="csrf" value="([0-9a-f]{64})"/.exec(own.text)?.[1] ?? '';
    const code = await visitor.post('/account/codes', { csrf, url: 'https://example.com/' });
    expect([code.status, headingOf(code.text)]).toEqual([402, 'This needs an active plan']);
    // No page of an account that never had a plan says that one has expired.
    for (const path of ['', '/settings', '/codes', '/key', '/batches', '/new'])
      expect(textOf((await visitor.get(`/account${path}`)).text)).not.toMatch(/expired|renew/i);
    expect(textOf(code.text)).not.toMatch(/expired|renew/i);
    const key = await send(visitor, '/account/settings', '/account/settings/keys', {});
    expect(key.status).toBe(303);
    expect((await visitor.get('/account/key')).text).not.toContain('Generate');
    // Whoever signs in without codes and a plan begins in the account of the owner.
    const other = createPanelClient(server.origin);
    await other.post('/account/sign-in', { email, password });
    expect(textOf((await other.get('/account/codes')).text)).toContain('Menu');
  });

  test('never signs in to an account that exists, nor sets its password', async () => {
    const owner = await newAccount('owner');
    const maria = await newAccount('maria');
    const link = await invite(owner.client, maria.email, 'editor');
    const visitor = createPanelClient(server.origin);
    const shown = await visitor.get(link);
    const next = new URLSearchParams({ next: link });
    expect(linkOf(shown.text, 'Sign in')).toBe(`/account/sign-in?${next}`);
    const sent = await visitor.post(link, { password: 'some other unrelated words' });
    expect([sent.status, sent.headers.getSetCookie()]).toEqual([200, []]);
    const signIn = await visitor.post('/account/sign-in', {
      ...{ email: maria.email, password, next: link },
    });
    expect(signIn.to).toBe(link);
    expect((await send(visitor, link, `${link}/accept`)).to).toBe('/account');
  });

  test('tells somebody else whom it is for, and lets them sign out and come back', async () => {
    const owner = await newAccount('owner');
    const ben = await newAccount('ben');
    const link = await invite(owner.client, 'maria@people.example', 'editor');
    const { text } = await ben.client.get(link);
    expect(textOf(text)).toContain(
      `You are signed in as ${ben.email}. The invitation is for maria@people.example.`,
    );
    const csrf = await ben.client.csrf();
    const forced = await ben.client.post(`${link}/accept`, { csrf });
    expect(forced.status).toBe(422);
    expect(textOf(forced.text)).toContain('for another e-mail address');
    const out = await send(ben.client, link, '/account/sign-out', {}, withValue('next', link));
    expect(out.to).toBe(link);
    expect((await ben.client.get(link)).text).toContain('name="password"');
  });

  test('ends when it is taken back or replaced, and refuses who is in the account already', async () => {
    const { owner, member } = await withMember('viewer');
    const email = 'chiara@people.example';
    const first = await invite(owner.client, email, 'viewer');
    // "New link" in the list.
    const renewed = await send(
      owner.client,
      people,
      `${people}/invite`,
      {},
      withValue('email', email),
    );
    const second = /\/account\/join\/[0-9a-f]{64}/.exec(renewed.text)?.[0] ?? '';
    const visitor = createPanelClient(server.origin);
    expect((await visitor.get(first)).status).toBe(410);
    expect((await visitor.get(second)).status).toBe(200);
    await send(owner.client, people, `${people}/take-back`, {}, withValue('email', email));
    expect((await visitor.get(second)).status).toBe(410);
    for (const [to, problem] of [
      [member.email, 'can enter this account already'],
      [owner.email, 'is the owner of this account'],
      ['no address', 'This is not an e-mail address'],
    ] as const) {
      const refused = await send(owner.client, `${people}/invite`, `${people}/invite`, {
        ...{ email: to, role: 'editor' },
      });
      expect([refused.status, textOf(refused.text)]).toEqual([
        422,
        expect.stringContaining(problem),
      ]);
    }
    const wrong = await send(owner.client, `${people}/invite`, `${people}/invite`, {
      ...{ email, role: 'owner' },
    });
    expect(wrong.status).toBe(422);
  });
});

test('an invitation and a role need the password, if it was not given in the last ten minutes', async () => {
  const email = 'old-session@people.example';
  const client = await signedIn(server, email, { ageMs: 11 * 60_000 });
  const csrf = await client.csrf();
  for (const [path, fields] of [
    ['invite', { email: 'thief@people.example', role: 'editor' }],
    ['role', { member: '1', role: 'editor' }],
  ] as const) {
    const { status, text } = await client.post(`${people}/${path}`, { csrf, ...fields });
    expect([status, headingOf(text)]).toEqual([401, 'Confirm that it’s you']);
  }
  expect((await client.get(people)).text).not.toContain('thief');
});

describe('a member', () => {
  test('works in the account that the session has entered, and sees on each page whose it is', async () => {
    const { owner, member } = await withMember('editor');
    await server.cli(['account', 'set', owner.email, '--business', 'Osteria da Ada']);
    const code = await createCode(owner.client, 'https://example.com/menu');
    for (const path of [
      '/account',
      '/account/codes',
      `/account/codes/${code}`,
      '/account/settings',
    ])
      expect((await member.client.get(path)).text).toContain(
        'In the account of </span><bdi>Osteria da Ada</bdi>',
      );
    const { status, to } = await send(
      member.client,
      `/account/codes/${code}/destination`,
      `/account/codes/${code}/destination`,
      { url: 'https://example.com/lunch' },
    );
    expect([status, to]).toEqual([303, `/account/codes/${code}`]);
    expect((await owner.client.get(`/account/codes/${code}`)).text).toContain('example.com/lunch');
    expect(server.log()).not.toContain('password changed');
    await enter(member.client, member.id);
    expect((await member.client.get(`/account/codes/${code}`)).status).toBe(404);
    expect((await enter(member.client, owner.id)).to).toBe('/account');
    expect((await member.client.get(`/account/codes/${code}`)).status).toBe(200);
  });

  test('changes the own password and second factor, never those of the entered account', async () => {
    const { owner, member } = await withMember('editor');
    const next = 'other unrelated words';
    const path = '/account/settings/password';
    expect((await send(member.client, path, path, { present: password, next })).status).toBe(303);
    const passwords = await server.onStores(async ({ credentials }) =>
      Promise.all([owner, member].map(({ email }) => credentials.find(email))),
    );
    const matches = passwords.map((one) =>
      Bun.password.verifySync(next, one?.passwordHash ?? '', 'argon2id'),
    );
    expect(matches).toEqual([false, true]);
    // The owner is signed in still, and no session of the owner is listed or ended.
    expect((await owner.client.get('/account')).status).toBe(200);
    const sessions = '/account/settings/sessions';
    const { text } = await member.client.get(sessions);
    expect(text.match(/This one/g)).toHaveLength(1);
    expect(text).not.toContain(`${sessions}/end`);
  });

  test('sends no form of another account, whichever tab it is in', async () => {
    const { owner, member } = await withMember('editor');
    const code = await createCode(owner.client, 'https://example.com/a');
    const page = `/account/codes/${code}/labels`;
    const form = parsePage((await member.client.get(page)).text).forms.find(
      ({ action }) => action === page,
    );
    const switcher = parsePage((await member.client.get(page)).text).forms.find(
      (one) => one.action === '/account/enter' && withValue('enter', String(owner.id))(one),
    );
    // The other tab.
    await enter(member.client, member.id);
    const fields = { ...sentFields(form), name: 'changed' };
    const refused = await member.client.post(page, fields);
    expect([refused.status, headingOf(refused.text)]).toEqual([
      403,
      `This form is of the account of ${owner.email}`,
    ]);
    // The form of the own account with the name of the other one, and the other way round.
    const own = await member.client.csrf();
    const forged = [
      { ...fields, csrf: own },
      { ...fields, account: String(member.id) },
      { ...fields, account: '' },
    ];
    for (const one of forged) expect((await member.client.post(page, one)).status).toBe(403);
    expect((await owner.client.get(`/account/codes/${code}`)).text).not.toContain('changed');
    // The account menu of the stale tab leads to the account all the same, and then the form can be sent.
    expect((await member.client.post('/account/enter', sentFields(switcher))).to).toBe('/account');
    expect((await member.client.post(page, fields)).status).toBe(303);
    expect((await owner.client.get(`/account/codes/${code}`)).text).toContain('changed');
  });

  test('who is removed loses the account at the next request, and is told so', async () => {
    const { owner, member } = await withMember('editor');
    const code = await createCode(owner.client, 'https://example.com/a');
    const page = `/account/codes/${code}/labels`;
    const form = parsePage((await member.client.get(page)).text).forms.find(
      ({ action }) => action === page,
    );
    const remove = linkOf((await owner.client.get(people)).text, 'Remove…') ?? '';
    await send(owner.client, remove, `${people}/remove`);
    expect((await member.client.get(`/account/codes/${code}`)).status).toBe(404);
    const { status, text } = await member.client.post(page, { ...sentFields(form), name: 'gone' });
    expect([status, text.includes(owner.email)]).toEqual([403, false]);
    const shown = await member.client.get('/account');
    expect(textOf(shown.text)).toContain('You no longer have access');
    expect(shown.text).not.toContain(owner.email);
    await send(member.client, '/account', '/account/enter', {}, withValue('enter', `${member.id}`));
    expect(textOf((await member.client.get('/account')).text)).not.toContain('no longer');
    expect((await owner.client.get(`/account/codes/${code}`)).text).not.toContain('gone');
    const csrf = await member.client.csrf();
    const back = await member.client.post('/account/enter', { csrf, enter: String(owner.id) });
    expect(back.status).toBe(403);
  });

  test('whose role is lowered cannot send what was open before', async () => {
    const { owner, member } = await withMember('editor');
    const code = await createCode(owner.client, 'https://example.com/a');
    const page = `/account/codes/${code}/labels`;
    const form = parsePage((await member.client.get(page)).text).forms.find(
      ({ action }) => action === page,
    );
    const lowered = await send(owner.client, people, `${people}/role`);
    expect(lowered.to).toBe(people);
    const listed = await owner.client.get(people);
    expect(textOf(listed.text)).toContain(`${member.email} is a viewer now.`);
    const refused = await member.client.post(page, { ...sentFields(form), name: 'changed' });
    expect([refused.status, headingOf(refused.text)]).toEqual([403, 'You can look, not change']);
    expect(textOf(refused.text)).toContain(owner.email);
  });

  test('leaves, and the owner sees it', async () => {
    const { owner, member } = await withMember('viewer');
    const leave = linkOf((await member.client.get('/account/settings')).text, 'Leave…') ?? '';
    const left = await send(member.client, leave, leave);
    expect(left.to).toBe('/account');
    const shown = await member.client.get('/account');
    expect(textOf(shown.text)).toContain(`You have left ${owner.email}.`);
    expect(textOf(shown.text)).not.toContain('no longer');
    expect((await owner.client.get(people)).text).not.toContain(member.email);
    // Nobody leaves the own account.
    expect((await owner.client.get('/account/settings')).text).not.toContain(leave);
    const csrf = await owner.client.csrf();
    expect((await owner.client.post(leave, { csrf })).status).toBe(422);
  });

  test('signs in again over a form of the entered account, which is then sent', async () => {
    const { owner, member } = await withMember('editor');
    const signIn = await member.client.post('/account/sign-in', {
      ...{ email: member.email, password, next: '/account/codes', again: String(owner.id) },
    });
    expect(signIn.to).toBe('/account/codes');
    const { text } = await member.client.get('/account/codes');
    expect(text).toContain(`name="account" value="${owner.id}"`);
    const other = await newAccount('other');
    const asOther = await member.client.post('/account/sign-in', {
      ...{ email: other.email, password, next: '/account/codes', again: String(owner.id) },
    });
    expect(asOther.to).toBe('/account');
  });
});

describe('a viewer', () => {
  test('sees codes without what changes them', async () => {
    const { owner, member } = await withMember('viewer');
    const code = await createCode(owner.client, 'https://example.com/a', { name: 'Table 1' });
    const { text } = await member.client.get(`/account/codes/${code}`);
    expect(textOf(text)).toContain('You can look, not change.');
    for (const action of ['destination', 'pause', 'archive', 'labels'])
      expect(text).not.toContain(`/account/codes/${code}/${action}"`);
    const list = (await member.client.get('/account/codes')).text;
    expect(list).not.toContain('type="checkbox"');
    expect(list).not.toContain('/account/new');
    expect((await member.client.get(`/account/codes/${code}/image.png`)).status).toBe(200);
    expect((await member.client.get('/account/print')).status).toBe(200);
    expect((await member.client.get('/account/new')).status).toBe(403);
    // The page to print resumes a paused code, which is more than printing.
    const csrf = await owner.client.csrf();
    await owner.client.post(`/account/codes/${code}/pause`, { csrf });
    const print = `/account/print?code=${code}`;
    expect((await member.client.get(print)).text).not.toContain('name="resume"');
    const resumed = await send(member.client, print, '/account/print', { resume: code });
    expect([resumed.status, headingOf(resumed.text)]).toEqual([403, 'You can look, not change']);
    expect((await owner.client.get(`/account/codes/${code}`)).text).toContain(
      'This code is paused',
    );
  });
});
