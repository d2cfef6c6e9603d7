import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { includesRole, type Role, roles } from '../../src/core/accounts/people/role.ts';
import type { Needs, Route } from '../../src/panel/routing/route.ts';
import { inDatabase } from '../support/database.ts';
import { usesPostgres } from '../support/postgres.ts';
import { oneProcess, startServer } from '../support/server.ts';
import { createCode, createPanelClient, type PanelClient, signedIn } from './client.ts';
import { findForms } from './every-form.ts';
import { headingOf, type PageForm, sentFields } from './page.ts';
import { panelRoutes } from './routes.ts';

/** Stands in all that is of the account, and in nothing else. */
const secret = 'sesame';

const actors = ['owner', 'editor', 'viewer', 'former', 'stranger', 'operator', 'visitor'] as const;
type Actor = (typeof actors)[number];

/** What each may do in the account that the session has entered: the one under test, or the own one. */
const roleOf: Readonly<Record<Exclude<Actor, 'visitor'>, Role>> = {
  ...{ owner: 'owner', editor: 'editor', viewer: 'viewer' },
  ...{ former: 'owner', stranger: 'owner', operator: 'owner' },
};
const isOutside = (actor: Actor) => ['former', 'stranger', 'operator'].includes(actor);

const refusals = ['You can look, not change', 'Only the owner can do this'];
const asRole = (needs: Needs) => roles.find((role) => role === needs);

/** Routes that end the role or the session come last. */
const last = ['/account/settings/leave', '/account/sign-out'];
const rankOf = ({ method, path }: Route) => (method === 'POST' ? last.indexOf(path) : -1);
const routes = panelRoutes.toSorted((a, b) => rankOf(a) - rankOf(b));

/** An account with something of everything, and people of all roles. */
async function setUp() {
  const server = await startServer(oneProcess);
  const rows = (statement: string) => inDatabase(server, statement);
  const emailOf = (actor: Actor) =>
    `${actor}@${isOutside(actor) ? 'example.org' : `${secret}.example`}`;
  const clients = { visitor: createPanelClient(server.origin) } as Record<Actor, PanelClient>;
  for (const actor of actors)
    if (actor !== 'visitor')
      clients[actor] = await signedIn(server, emailOf(actor), { isOperator: actor === 'operator' });
  const { owner } = clients;
  await server.cli(['domain', 'add', 'http://127.0.0.9:9', '--account', emailOf('owner')]);
  const csrf = await owner.csrf();
  const post = (path: string, fields: Record<string, string>) =>
    owner.post(`/account/${path}`, { csrf, ...fields });
  await server.cli(['account', 'set', emailOf('owner'), '--business', `The ${secret} inn`]);
  await server.generateKey(emailOf('owner'));
  const url = `https://${secret}.example/menu`;
  const labels = { name: `Table ${secret}`, note: `${secret} note`, folder: `${secret} folder` };
  const code = await createCode(owner, url, labels);
  await post(`codes/${code}/destination`, { url: `${url}/2` });
  await post(`codes/${code}/plan`, { day: '2031-01-01', time: '12:00', action: 'pause' });
  const design = { foreground: '#1b3a57', background: '#ffffff', design_name: `${secret} design` };
  await post('design', { do: 'save', ...design });
  const table = await post('batches', { table: `${url}/batch\nno address` });
  const batch = /\d+/.exec(table.to ?? '')?.[0] ?? '';
  for (const actor of ['editor', 'viewer', 'former'] as const) {
    const role = actor === 'viewer' ? 'viewer' : 'editor';
    const { text } = await post('settings/people/invite', { email: emailOf(actor), role });
    const path = `${/\/account\/join\/[0-9a-f]{64}/.exec(text)?.[0]}/accept`;
    const own = await clients[actor].csrf();
    expect((await clients[actor].post(path, { csrf: own })).to).toBe('/account');
  }
  await post('settings/people/invite', { email: `invited@${secret}.example`, role: 'viewer' });
  await server.cli([...['account', 'remove', emailOf('owner'), '--member', emailOf('former')]]);
  const account = await server.onStores(
    async ({ accounts }) => (await accounts.findByEmail(emailOf('owner')))?.id ?? 0,
  );
  const [saved] = await rows(`SELECT design_id FROM saved_designs WHERE account_id = ${account}`);
  const [plan] = await rows(`SELECT id FROM planned_changes WHERE account_id = ${account}`);
  /** What a form of a page says about its account, in the entered account and in the own one. */
  const formFields = async (client: PanelClient) => {
    const { text } = await client.get('/account/settings');
    const [, csrf = '', id = ''] =
      /name="csrf" value="([0-9a-f]{64})"\/><input type="hidden" name="account" value="(\d+)"/.exec(
        text,
      ) ?? [];
    return { csrf, account: id };
  };
  const pathOf = ({ path }: Pick<Route, 'path'>) =>
    path
      .replace(':code', code)
      .replace(/(?<=\/batches\/):id/, batch)
      .replace(/(?<=\/accounts\/):id/, String(account))
      .replace(/(?<=\/saved\/):id/, String(saved?.['design_id']))
      .replace(':name', 'Dots')
      .replace(':domain', '127.0.0.9%3A9')
      .replace(/:\w+/g, 'f'.repeat(64));
  /** All that the account consists of. */
  const content = async (...names: string[]) => {
    const found = names.map((table) => {
      const key = table === 'accounts' ? 'id' : 'account_id';
      const shown = usesPostgres ? `${table}::text` : '*';
      return rows(`SELECT ${shown} FROM ${table} WHERE ${key} = ${account} ORDER BY 1`);
    });
    return JSON.stringify(await Promise.all(found));
  };
  return { server, clients, account, plan: String(plan?.['id']), formFields, pathOf, content };
}

const whole = [
  ...['accounts', 'api_keys', 'members', 'invitations', 'qrs', 'designs', 'saved_designs'],
  ...['planned_changes', 'batches', 'bulk_edits', 'folder_domains'],
];

describe('every route of the panel', () => {
  let all: Awaited<ReturnType<typeof setUp>>;
  beforeAll(async () => {
    all = await setUp();
  });
  afterAll(() => all.server.close());

  /** Fields of forms, which stay until a request may change the session or the entered account. */
  const known = new Map<PanelClient, Record<string, string>>();
  beforeEach(() => known.clear());
  const mayChangeSession = (path: string) =>
    !/^\/account\/(batches|codes|design|folders|print|selection)/.test(path);

  /** Sends a request to a route with the objects of the account, and nothing typed. */
  const request = async (route: Route, actor: Actor) => {
    const client = all.clients[actor];
    const path = all.pathOf(route);
    if (route.method === 'GET') return client.get(path);
    if (actor === 'visitor') return client.post(path, {});
    const fields = known.get(client) ?? (await all.formFields(client));
    known.set(client, fields);
    const response = await client.post(path, fields);
    if (mayChangeSession(path)) known.delete(client);
    return response;
  };

  test('shows editors and viewers the pages that the owner sees, as far as their role goes', async () => {
    const different: unknown[] = [];
    for (const route of routes) {
      const needed = asRole(route.needs);
      if (route.method !== 'GET' || needed === undefined) continue;
      const { status } = await request(route, 'owner');
      for (const actor of ['editor', 'viewer'] as const) {
        const response = await request(route, actor);
        const wanted = includesRole(roleOf[actor], needed) ? status : 403;
        if (response.status !== wanted)
          different.push([actor, route.path, response.status, wanted]);
      }
    }
    expect(different).toEqual([]);
  });

  test('leaves the account as it is when a form of its pages is sent by who may not', async () => {
    const { clients, formFields, content } = all;
    const found = await findForms(clients.owner, ['/account', '/account/settings/people']);
    const kinds = new Map<string, PageForm>();
    for (const { form } of found)
      if (form.method === 'post')
        kinds.set(`${form.action} ${Object.keys(sentFields(form))}`, form);
    expect(kinds.size).toBeGreaterThan(30);
    const before = await content(...whole);
    const answered: unknown[] = [];
    for (const actor of ['viewer', 'former', 'stranger', 'operator', 'visitor'] as const) {
      const own = actor === 'visitor' ? {} : await formFields(clients[actor]);
      for (const form of kinds.values()) {
        const { action } = form;
        // Of an own account, and of nobody's.
        if (
          /\/(sign-out|confirm|start|enter|leave)$|^\/account\/(join|safety|accounts)/.test(action)
        )
          continue;
        if (/\/settings\/(keys|password|sessions|second-factor)/.test(action)) continue;
        // What is sent may be stored in the own account, which has nothing of the other one after it.
        const sent = Object.fromEntries(
          Object.entries(sentFields(form)).map(([key, value]) => [
            ...[key, value.replaceAll(secret, 'other')],
          ]),
        );
        // A visitor has no own fields.
        const ways = [
          sent,
          { ...sent, ...own },
          { ...sent, ...own, account: sent['account'] ?? '' },
        ];
        for (const fields of actor === 'visitor' ? [sent] : ways) {
          const { status } = await clients[actor].post(action, fields);
          if (status >= 500) answered.push([actor, action, status]);
        }
      }
      expect([actor, await content(...whole)]).toEqual([actor, before]);
    }
    expect(answered).toEqual([]);
  });

  test('sends no form of the own account while another one is entered', async () => {
    const { clients, content } = all;
    const client = clients.editor;
    // The token of the own account.
    const csrf = await client.csrf();
    const before = await content(...whole);
    const wrong: unknown[] = [];
    const { account: entered } = await all.formFields(client);
    expect(entered).toBe(String(all.account));
    const own = await all.server.onStores(
      async ({ accounts }) => (await accounts.findByEmail(`editor@${secret}.example`))?.id ?? 0,
    );
    for (const route of routes) {
      if (route.method !== 'POST' || asRole(route.needs) === undefined) continue;
      for (const account of [String(own), entered, '']) {
        const response = await client.post(all.pathOf(route), { csrf, account });
        if (response.status !== 403) wrong.push([route.path, account, response.status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(await content(...whole)).toBe(before);
  });

  const ordered: readonly Actor[] = [
    ...(['visitor', 'viewer', 'editor', 'former', 'stranger', 'owner', 'operator'] as const),
  ];
  test.each(ordered)('is answered to the %s as it says', async (actor) => {
    const wrong: unknown[] = [];
    const kept = actor === 'owner' ? [] : ['api_keys', 'members', 'invitations'];
    if (actor !== 'owner' && actor !== 'editor') kept.push(...whole);
    // A member who leaves is none any more. An operator signs people out and blocks codes.
    const isKept = () =>
      actor === 'operator'
        ? Promise.resolve('')
        : all.content(...kept.filter((one) => one !== 'members'));
    const before = await isKept();
    for (const route of routes) {
      const { needs, method } = route;
      const response = await request(route, actor);
      const { status, text, to } = response;
      const heading = headingOf(text);
      const told = [actor, method, route.path, status, heading || to];
      if (status >= 500) wrong.push(['failed', ...told]);
      // Operators choose the account that gets the codes of a deleted one.
      const mayName = needs === 'operator' || route.path === '/account/settings/delete';
      const isLeak = text.includes(secret) && (isOutside(actor) || actor === 'visitor');
      if (isLeak && !(actor === 'operator' && mayName)) wrong.push(['leaks', ...told]);
      if (needs === 'anyone') continue;
      if (actor === 'visitor') {
        const isAsked = method === 'GET' ? to?.startsWith('/account/sign-in') : status === 401;
        if (!isAsked) wrong.push(['not asked to sign in', ...told]);
        continue;
      }
      const needed = asRole(needs);
      const isRefused = status === 403 && refusals.includes(heading);
      if (needs === 'operator' && actor !== 'operator') {
        if (status !== 404) wrong.push(['no operator', ...told]);
      } else if (
        status === 401 ||
        isRefused !== (needed !== undefined && !includesRole(roleOf[actor], needed))
      )
        wrong.push(['by the role', ...told]);
      const isObject = /:(code|id|digest)/.test(route.path) && needed !== undefined;
      if (isOutside(actor) && isObject && method === 'GET' && status !== 404)
        wrong.push(['object of another account', ...told]);
    }
    expect(wrong).toEqual([]);
    expect(await isKept()).toBe(before);
  });
});
