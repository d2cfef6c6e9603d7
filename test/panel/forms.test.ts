import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { oneProcess, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { createCode, createPanelClient, type PanelClient, signedIn } from './client.ts';
import {
  type FoundForm,
  findEveryForm,
  findForms,
  isChosen,
  needsText,
  visible,
  withoutIds,
} from './every-form.ts';
import { type PageForm, parsePage, sentFields } from './page.ts';
import { panelRoutes } from './routes.ts';
import { codesIn, visibleTexts, withoutRun } from './visible-texts.ts';

const server = await startServer(oneProcess);
afterAll(server.close);
/** Fills in a form: everything too long or of the wrong kind, or the first field left empty. */
function fillIn(form: PageForm, way: 'all wrong' | 'one empty'): Record<string, string> {
  const sent = sentFields(form);
  const [first] = visible(form).filter((field) => !isChosen(field));
  for (const field of visible(form)) {
    const { name, type, options } = field;
    if (type === 'range') sent[name] = '5';
    // Another paper has other fields.
    else if (type === 'select')
      sent[name] = (name === 'layout' ? field.value : options.at(-1)) ?? '';
    else if (isChosen(field)) sent[name] = field.value;
    else if (way === 'one empty') sent[name] = field === first ? '' : 'kept "<i>"';
    else if (type === 'password') sent[name] = 'short';
    else sent[name] = `${type === 'textarea' ? '\r\n\r\n' : ''}wrong "<i>" ${'a'.repeat(2_100)}`;
  }
  const [button] = form.buttons;
  return button === undefined ? sent : { ...sent, [button[0]]: button[1] };
}

/** Returns the same form of another page. */
function sameForm(form: PageForm, text: string): PageForm | undefined {
  const keyOf = ({ action, fields }: PageForm) =>
    JSON.stringify([
      action,
      fields
        .filter(
          ({ type, name }) => type === 'hidden' && !['', 'csrf', 'attempt', 'do'].includes(name),
        )
        .map(({ name, value }) => [name, value]),
    ]);
  return parsePage(text).forms.find(
    (other) => keyOf(other) === keyOf(form) && visible(other).length > 0,
  );
}

/**
 * Expects no option of a command in the texts of a page, because account holders have no command line, and no "URL": they
 * know destinations, short links and addresses to type.
 */
function expectWordsOfPanel(page: string, text: string): void {
  const texts = text
    .replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, '\n');
  const others = texts.match(/(?<![\w-])--[a-z][\w-]*|\bURLs?\b/g);
  expect({ page, others }).toEqual({ page, others: null });
}

/** What the pages say, by where they were found. */
const said = new Map<string, string[]>();
const codes = new Set<string>();

/** Keeps what a page says, and expects words of the panel. */
function readPage(page: string, text: string): void {
  expectWordsOfPanel(page, text);
  for (const code of codesIn(text)) codes.add(code);
  const texts = said.getOrInsertComputed(page, () => []);
  texts.push(...visibleTexts(text));
}

/** Submits a form wrong. Expects everything typed, and a message at each field that is wrong. */
async function submitWrong({ client, page, form }: FoundForm): Promise<void> {
  const where = `${page}: ${form.action}`;
  for (const way of ['all wrong', 'one empty'] as const) {
    const sent = fillIn(form, way);
    const { status, text } = await client.post(form.action, sent);
    readPage(`${where}, ${way}`, text);
    if (status < 400) continue;
    expect({ where, status }).toEqual({ where, status: 422 });
    const shown = sameForm(form, text);
    if (shown === undefined) throw new Error(`${where}: ${status}, and the form is gone`);
    const lost = visible(shown).filter((field) => {
      const typed = sent[field.name];
      if (field.type === 'password') return field.value !== '';
      if (field.type === 'radio' || field.type === 'checkbox')
        return field.isChecked !== (typed === field.value);
      return field.value !== typed;
    });
    const invalid = shown.fields.filter(({ isInvalid }) => isInvalid);
    const focused = parsePage(text).forms.flatMap(({ fields }) =>
      fields.filter((one) => one.isFocused),
    );
    expect({
      where,
      names: visible(shown).map(({ name }) => name),
      lost: lost.map(({ name }) => name),
      described: invalid.map(({ descriptions }) => descriptions.at(-1) !== ''),
      focused: focused.map(({ name }) => name),
    }).toEqual({
      where,
      names: visible(form).map(({ name }) => name),
      lost: [],
      described: invalid.map(() => true),
      focused: invalid.slice(0, 1).map(({ name }) => name),
    });
    expect({ where, invalid: invalid.length > 0 }).toEqual({ where, invalid: true });
    return;
  }
  throw new Error(`${where}: nothing that was tried is wrong`);
}

test('the form of the first account keeps what was typed', async () => {
  const link = () => /\/account\/link\/[0-9a-f]{64}/.exec(server.log())?.[0] ?? '';
  await until(() => link() !== '');
  const client = createPanelClient(server.origin);
  const forms = (await findForms(client, [link()], readPage)).filter(needsText);
  expect(forms.flatMap(({ form }) => visible(form).map(({ name }) => name))).toEqual([
    'email',
    'password',
  ]);
  for (const one of forms) await submitWrong(one);
});

describe('every form of every page', () => {
  let found: readonly FoundForm[];
  beforeAll(async () => {
    found = await findEveryForm(server, readPage);
  });

  test('is found: every POST route is the address of one', () => {
    const actions = new Set(found.map(({ form }) => form.action.replace(/\?.*/, '')));
    const missing = panelRoutes
      .filter(({ method }) => method === 'POST')
      .filter(({ path }) => {
        const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
        return ![...actions].some((action) => pattern.test(action));
      });
    // Another form is answered with those that sign in again or confirm, and with a provider alone there are those of
    // its identities, see test/oidc. Planned changes are those of planned.test.ts. A batch that runs ends by itself, and
    // a key has to be replaced before its old one can be ended. A domain that leads elsewhere is not for new codes, see
    // domains.test.ts.
    expect(missing.map(({ path }) => path)).toEqual([
      '/account/sign-in/done',
      '/account/confirm',
      '/account/confirm/done',
      '/account/sign-in/oidc/finish',
      '/account/settings/identity',
      '/account/settings/identity/disconnect',
      '/account/codes/:code/plan/now',
      '/account/codes/:code/plan/cancel',
      '/account/batches/:id/stop',
      '/account/bulk-edits/:id/stop',
      '/account/key/end-old',
      '/account/settings/domain',
    ]);
  });

  test('keeps what was typed when it is rejected, with a message at the field', async () => {
    // A draft is gone when another table is checked.
    const isDraft = ({ form }: FoundForm) => /\/batches\/\d+$/.test(form.action);
    const kinds = found
      .filter(needsText)
      .map((one): [string, FoundForm] => [
        [withoutIds(one.form.action), ...one.form.fields.map(({ name }) => name)].join(' '),
        one,
      ]);
    const forms = [...new Map(kinds).values()].toSorted(
      (a, b) => Number(isDraft(b)) - Number(isDraft(a)),
    );
    expect(forms.length).toBeGreaterThan(15);
    for (const one of forms) await submitWrong(one);
  });

  test('keeps what was searched for', async () => {
    const searches = found.filter(
      ({ form }) => form.method === 'get' && form.fields.some(({ name }) => name === 'q'),
    );
    expect(searches.length).toBeGreaterThan(2);
    for (const { client, page, form } of searches) {
      const sent = { ...sentFields(form), q: 'kept "<i>"' };
      const path = `${page.replace(/\?.*/, '')}?${new URLSearchParams(sent)}`;
      // Filters that are not set go from the address.
      const { to } = await client.get(path);
      const { text } = await client.get(to ?? path);
      const shown = parsePage(text).forms.flatMap(({ fields }) => fields);
      expect(shown.find(({ name, type }) => name === 'q' && type === 'search')?.value).toBe(sent.q);
    }
  });
});

test('the longest search that its field takes is answered, however it is written', async () => {
  const client = await signedIn(server, 'longest@example.org', { isOperator: true });
  await createCode(client, 'https://example.org/longest');
  for (const page of ['codes', 'accounts', 'safety']) {
    const { text } = await client.get(`/account/${page}`);
    const field = /<input[^>]* type="search"[^>]*>/.exec(text)?.[0] ?? '';
    const maxLength = Number(/ maxlength="(\d+)"/i.exec(field)?.[1]);
    expect(maxLength).toBeGreaterThan(0);
    const pattern = new RegExp(`^(?:${/ pattern="([^"]+)"/.exec(field)?.[1] ?? '.*'})$`, 'v');
    const texts = ['%', 'é', '菜', '😀'].map((one) => {
      let longest = one.repeat(maxLength / one.length);
      while (!pattern.test(longest)) longest = longest.slice(one.length);
      return longest;
    });
    for (const q of texts) {
      const path = `/account/${page}?${new URLSearchParams({ q })}`;
      const { status } = await client.get(path, { Referer: `${server.origin}${path}` });
      expect([page, q.slice(0, 2), status]).toEqual([page, q.slice(0, 2), 200]);
    }
  }
});

test('every page and every rejection says what the list of texts says; `bun test -u` writes it', async () => {
  const client = await signedIn(server, 'lost@example.org');
  for (const path of ['nothing', 'codes/00000000', 'batches/999', 'link/0', 'join/0', 'accounts'])
    readPage(`/account/${path}`, (await client.get(`/account/${path}`)).text);
  readPage('an outdated form', (await client.post('/account/codes', {})).text);
  readPage(
    'without a session',
    (await createPanelClient(server.origin).post('/account/codes', {})).text,
  );
  const operator = await signedIn(server, 'said@example.org', { isOperator: true });
  const old = await signedIn(server, 'old@example.org', { ageMs: 3_600_000 });
  const answers: readonly (readonly [PanelClient, string, Record<string, string>])[] = [
    [operator, 'accounts/1/link', {}],
    [operator, 'settings/people/invite', { email: 'invited@example.org', role: 'editor' }],
    [operator, 'settings/people/invite', { email: 'said@example.org', role: 'editor' }],
    [operator, 'settings/people/invite', { email: 'invited@example.org', role: 'nobody' }],
    [operator, 'settings/people/role', { member: '99', role: 'editor' }],
    [operator, 'settings/leave', {}],
    [operator, 'enter', { enter: '99' }],
    [operator, 'accounts/1/plan', { plan: '2031-02-30' }],
    [old, 'settings/people/invite', { email: 'invited@example.org', role: 'editor' }],
    [old, 'key', {}],
  ];
  for (const [who, path, fields] of answers) {
    const { text, to } = await who.post(`/account/${path}`, { csrf: await who.csrf(), ...fields });
    readPage(`the answer of /account/${path}`, to === null ? text : (await who.get(to)).text);
  }
  readPage('people who are invited', (await operator.get('/account/settings/people')).text);
  const known = new Set<string>();
  // A text is listed where it was found first.
  const listed = [...said].flatMap(([page, texts]) => {
    const shown = texts.map((text) => withoutRun(text, codes));
    const first = shown.filter((text) => text !== null && !known.has(text) && known.add(text));
    return first.length === 0 ? [] : ['', `# ${withoutRun(withoutIds(page), codes)}`, ...first];
  });
  expect(listed.join('\n')).toMatchSnapshot();
});
