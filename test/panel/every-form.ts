import { join } from 'node:path';
import type { Server } from '../support/server.ts';
import {
  createCode,
  createPanelClient,
  type PanelClient,
  password,
  signedIn,
  signIn,
} from './client.ts';
import { type PageField, type PageForm, parsePage, sentFields } from './page.ts';
import { turnOn } from './second-factor.ts';

/** Called with each page. */
type OnPage = (page: string, text: string) => void;

/** A form on the page that a client sees. */
export interface FoundForm {
  readonly client: PanelClient;
  readonly page: string;
  readonly form: PageForm;
}

// Each has something to type, choose or upload.
const typedTypes = ['text', 'email', 'password', 'date', 'search', 'textarea'];
const chosenTypes = ['select', 'checkbox', 'radio', 'range'];
/** Returns the fields of a form that people fill in. The colour picker has no name, and the script shows it. */
export const visible = ({ fields }: PageForm) =>
  fields.filter(({ name, type }) => name !== '' && [...typedTypes, ...chosenTypes].includes(type));

/** Replaces what tells one code, account or page of a list from another. */
export const withoutIds = (path: string) =>
  path
    .replaceAll(/(?<=\/|=)(\d+|(?=[a-z]*\d)[0-9a-z]{8})(?=[/?&]|$)/g, '*')
    // A code may have no digit.
    .replaceAll(/(?<=\/codes\/|\bcode=)[0-9a-z]{8}(?=[/?&]|$)/g, '*')
    .replace(/(?<=q=)[^&]*/, '*');

/**
 * Opens the pages of `start` and one page of each kind that links and the buttons of selections lead to, and returns
 * their forms.
 */
export async function findForms(
  client: PanelClient,
  start: readonly string[],
  onPage: OnPage = () => {},
): Promise<FoundForm[]> {
  const found: FoundForm[] = [];
  const queue = [...start];
  const seen = new Set(queue.map(withoutIds));
  const collect = async (page: string, text: string): Promise<void> => {
    onPage(page, text);
    const { forms, links } = parsePage(text);
    for (const link of links) {
      const path = link.replace(/#.*/, '');
      const kind = withoutIds(path);
      if (!/^\/account(?!\S*\.(csv|png|svg))/.test(path) || seen.has(kind)) continue;
      seen.add(kind);
      queue.push(path);
    }
    for (const form of forms) {
      found.push({ client, page, form });
      const key = JSON.stringify([
        form.action,
        form.fields.map(({ name, value }) => [name, value]),
      ]);
      const isSelection = /^\/account\/(print|selection(\/preview)?)$/.test(form.action);
      if (!isSelection || needsText({ client, page, form }) || seen.has(key)) continue;
      seen.add(key);
      const sent = sentFields(form);
      if (sent['all'] === undefined && form.buttons.length > 0) sent['all'] = 'yes';
      const opened = form.buttons.filter(([name]) => name === 'open');
      for (const button of [[], ...opened.map((one) => [one])]) {
        const fields = { ...sent, ...Object.fromEntries(button) };
        const { text: next } = await client.post(form.action, fields);
        await collect(form.action, next);
      }
    }
  };
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { status, text } = await client.get(path);
    if (status === 200) await collect(path, text);
  }
  return found;
}

/** Tells fields that are chosen from those that are typed. */
export const isChosen = ({ type }: PageField) => chosenTypes.includes(type);

/** Returns whether a form is sent with something typed. */
export const needsText = ({ form }: FoundForm) =>
  form.method === 'post' && visible(form).some((field) => !isChosen(field));

/** Makes accounts and codes of all kinds, and returns the forms of all pages. */
export async function findEveryForm(server: Server, onPage?: OnPage): Promise<FoundForm[]> {
  const operator = await signedIn(server, 'olga@example.org', { isOperator: true });
  const fresh = await signedIn(server, 'new@example.org');
  // One that nothing answers at, whatever the network.
  await server.cli(['domain', 'add', 'http://127.0.0.9:9', '--account', 'olga@example.org']);
  const csrf = await operator.csrf();
  const post = (path: string, fields: Record<string, string> = {}) =>
    operator.post(`/account/${path}`, { csrf, ...fields });
  const code = await createCode(operator, 'https://example.org/active');
  const paused = await createCode(operator, 'https://example.org/paused');
  const blocked = await createCode(operator, 'https://example.org/blocked');
  await post(`codes/${code}/destination`, { url: 'https://example.org/changed' });
  await post(`codes/${paused}/pause`);
  await post(`safety/codes/${blocked}/block`);
  await post('safety/rules', { address: 'evil.example', decision: 'block' });
  const colors = { foreground: '#1b3a57', background: '#ffffff' };
  for (const design_name of ['Summer', 'Winter'])
    await post('design', { do: 'save', design_name, ...colors });
  const links = join(server.folder, 'links.csv');
  await Bun.write(links, 'path,destination\nMenu/7,https://example.org/link\n');
  await server.cli(['link', 'import', links, '--account', 'olga@example.org']);
  const { to: columns } = await post('batches', { table: 'Stage,Page\nPier,soon' });
  await post('batches', { table: 'https://example.org/batch\nnot an address at all' });
  await post(`codes/${paused}/plan`, { day: '2031-01-01', time: '12:00', action: 'resume' });
  await post('selection/apply', { all: 'yes', q: 'changed', do: 'pause' });
  await post(`codes/${blocked}/archive`);
  await post(`codes/${paused}/labels`, { name: '', note: '', folder: 'Menus' });
  const accountOf = async (email: string) =>
    /\/account\/accounts\/\d+/.exec(
      (await operator.get(`/account/accounts?q=${email}`)).text,
    )?.[0] ?? '';
  const issued = await operator.post(`${await accountOf('new@')}/link`, { csrf });
  const link = /\/account\/link\/[0-9a-f]{64}/.exec(issued.text)?.[0] ?? '';
  await server.generateKey('olga@example.org');
  await signIn(server, 'olga@example.org');
  const factored = 'factor@example.org';
  const protectedClient = await signedIn(server, factored);
  await turnOn(protectedClient, password);
  const invite = async (email: string) => {
    const { text } = await post('settings/people/invite', { email, role: 'viewer' });
    return /\/account\/join\/[0-9a-f]{64}/.exec(text)?.[0] ?? '';
  };
  const member = await signedIn(server, 'member@example.org');
  const accepted = `${await invite('member@example.org')}/accept`;
  await member.post(accepted, { csrf: await member.csrf() });
  const joins = { factored: await invite(factored), guest: await invite('guest@example.org') };
  const asked = createPanelClient(server.origin);
  const { text: codePage } = await asked.post('/account/sign-in', { email: factored, password });
  return [
    ...(await findForms(protectedClient, ['/account/settings', joins.factored], onPage)),
    ...(await findForms(member, ['/account', `/account/codes/${code}`], onPage)),
    ...(await findForms(
      operator,
      [
        '/account',
        ...[code, paused, blocked, 'Menu%2F7'].map((one) => `/account/codes/${one}`),
        ...[code, blocked].map((one) => `/account/safety?q=${one}`),
        '/account/codes?folder=in:Menus',
        columns ?? '',
        await accountOf(factored),
      ],
      onPage,
    )),
    ...(await findForms(fresh, ['/account'], onPage)),
    ...(await findForms(
      createPanelClient(server.origin),
      ['/account/sign-in', link, joins.guest],
      onPage,
    )),
    ...parsePage(codePage).forms.map((form) => ({ client: asked, page: '/account/sign-in', form })),
  ];
}
