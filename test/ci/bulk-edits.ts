import { afterAll, expect, test } from 'bun:test';
import { searchBatches } from '../../src/core/codes/lists/search.ts';
import { createPanelClient, type PanelClient, signedIn } from '../panel/client.ts';
import { textOf } from '../panel/page.ts';
import { acting, newInvitation, newLink, noon } from '../stores/rows.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { type CommandStores, type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Kills the processes that change many codes, and reads the progress of the others. */

const codes = 400;
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** A remote check that takes as long as one on the other side of the world. */
const provider = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async () => {
    await Bun.sleep(150);
    return Response.json({ unsafe: false });
  },
});
closing.push(() => provider.stop(true));
const settings = {
  WAYMARK_PUBLIC_URL: 'https://qr.example.com',
  WAYMARK_SAFE_BROWSING: 'http',
  WAYMARK_SAFE_BROWSING_URL: provider.url.href,
};

/** Starts a server, and a second one if copies share the database. */
const startAll = {
  SQLite: async () => [await startServer(settings)],
  PostgreSQL: async () => {
    const postgres = await startPostgres();
    closing.push(postgres.close);
    const shared = { ...settings, WAYMARK_DATABASE_URL: await postgres.createDatabase() };
    return [await startServer(shared), await startServer(shared)];
  },
} satisfies Record<string, () => Promise<Server[]>>;

/** Creates a client with the session of another. */
function sameSession({ cookies }: PanelClient, origin: string): PanelClient {
  const client = createPanelClient(origin);
  for (const [name, value] of cookies) client.cookies.set(name, value);
  return client;
}

/** Creates an account with imported links, and one with a session at each of the servers. */
async function setUp([first, ...others]: readonly Server[], email: string) {
  if (first === undefined) throw new Error('no server was started');
  const client = await signedIn(first, email);
  const accountId = await first.onStores(async ({ accounts, linkImports }) => {
    const id = (await accounts.findByEmail(email))?.id ?? 0;
    const links = Array.from({ length: codes }, (_, at) =>
      newLink(`${email}/${at}`, { destination: `https://example.com/${email}/${at}` }),
    );
    await linkImports.add(acting(id), links, noon);
    return id;
  });
  const clients = others.map(({ origin }) => sameSession(client, origin));
  const found = () =>
    first.onStores(async ({ qrs }) => {
      const all = (await Array.fromAsync(searchBatches(qrs, accountId, ''))).flat();
      return Promise.all(
        all.map(async ({ id, destination }) => ({
          destination,
          former: (await qrs.formerDestinations(id, 9)).length,
        })),
      );
    });
  const counts = () =>
    first.onStores(async ({ activity }) => {
      const { entries } = await activity.page(accountId, { topic: 'codes' }, null, 100);
      return Object.fromEntries(entries.map(({ kind, count }) => [kind, count]));
    });
  return { clients: [client, ...clients], accountId, found, counts };
}

const apply = async (client: PanelClient) =>
  client.postWithoutWaiting('/account/selection/apply', {
    ...{ csrf: await client.csrf(), all: 'yes', q: '', do: 'replace' },
    // Made twice, it is there twice.
    ...{ replaced: 'https://example.', replacement: 'https://www.example.' },
  });
const undo = async (client: PanelClient) =>
  client.postWithoutWaiting('/account/selection/undo', { csrf: await client.csrf() });
const isRunning = async (client: PanelClient, path: string) =>
  (await client.get(path)).headers.has('refresh');
/** Returns how many codes are changed, as the page says. */
const progress = async (client: PanelClient, path: string) => {
  const { headers, text } = await client.get(path);
  const [, done = '0'] = /(\d+) of \d+ codes/.exec(textOf(text)) ?? [];
  return { isRunning: headers.has('refresh'), done: Number(done) };
};
/** Waits until a part of the codes is changed. */
const untilBegun = (client: PanelClient, path: string) =>
  until(async () => (await progress(client, path)).done >= 100);

test.each(Object.entries(startAll))(
  'on %s, an edit and its undo whose processes are killed change each code once',
  async (name, start) => {
    if (name === 'PostgreSQL' && !hasPostgres) return;
    const servers = await start();
    closing.push(...servers.map(({ close }) => close));
    const [first] = servers;
    const { clients, found, counts } = await setUp(servers, 'killed@example.org');
    const [client, other = client] = clients;
    if (first === undefined || client === undefined || other === undefined)
      throw new Error('no server was started');
    const hosts = async () =>
      Object.groupBy(await found(), ({ destination }) => new URL(destination).host);

    const { status, to } = await apply(client);
    expect([status, to]).toEqual([
      303,
      expect.stringMatching(/^\/account\/bulk-edits\/\d+\?list=/),
    ]);
    const [path = ''] = to?.split('?') ?? [];
    await untilBegun(other, path);
    expect((await client.get('/account/batches')).text).toContain('changed so far');
    // Of both copies, and of a process that has begun nothing.
    for (const reader of clients) expect((await progress(reader, path)).isRunning).toBeTrue();
    await first.kill();
    if (other === client) await first.start();
    const stopped = await progress(other, path);
    expect([stopped.isRunning, stopped.done < codes]).toEqual([true, true]);
    expect((await undo(other)).text).toContain('Another change of many codes is running');
    await until(async () => !(await isRunning(other, path)));
    expect(await progress(other, path)).toEqual({ isRunning: false, done: codes });
    const changed = await hosts();
    expect(Object.keys(changed)).toEqual(['www.example.com']);
    expect(changed['www.example.com']?.every(({ former }) => former === 1)).toBeTrue();
    expect(await counts()).toMatchObject({ 'codes-destination-changed': codes });

    if (other !== client) await first.start();
    expect((await undo(client)).to).toStartWith(path);
    await until(async () => (await progress(other, path)).done >= 100);
    await first.kill();
    if (other === client) await first.start();
    expect((await progress(other, path)).isRunning).toBeTrue();
    await until(async () => !(await isRunning(other, path)));
    expect(textOf((await other.get(path)).text)).toContain('Undone:');
    const undone = await hosts();
    expect(Object.keys(undone)).toEqual(['example.com']);
    expect(undone['example.com']?.every(({ former }) => former === 2)).toBeTrue();
    expect(await counts()).toMatchObject({ 'codes-edit-undone': codes });
  },
);

test('an edit ends with its plan, the right of its person and its account, and what it has changed stays', async () => {
  const server = await startServer(settings);
  closing.push(server.close);
  const run = async (
    email: string,
    change: (accountId: number) => Promise<unknown>,
    actor?: (accountId: number) => Promise<PanelClient>,
  ): Promise<{ text: string; changed: number }> => {
    const { clients, accountId, found } = await setUp([server], email);
    const [client] = clients;
    if (client === undefined) throw new Error('no server was started');
    const by = actor === undefined ? client : await actor(accountId);
    const [path = ''] = (await apply(by)).to?.split('?') ?? [];
    await untilBegun(client, path);
    await change(accountId);
    await until(async () => !(await isRunning(client, path)));
    const changed = (await found()).filter(({ former }) => former > 0).length;
    return { text: textOf((await client.get(path)).text), changed };
  };
  const expired = await run('expired@example.org', () =>
    server.setPlan('expired@example.org', 'expired'),
  );
  expect(expired.text).toContain('This needs an active plan.');
  expect(expired.changed).toBeLessThan(codes);
  expect(expired.text).toContain(`${expired.changed} of ${codes} codes changed`);

  const editor = await signedIn(server, 'editor@example.org');
  const onEditor = <T>(act: (people: CommandStores['people'], id: number) => Promise<T>) =>
    server.onStores(async ({ accounts, people }) =>
      act(people, (await accounts.findByEmail('editor@example.org'))?.id ?? 0),
    );
  const removed = await run(
    'people@example.org',
    (accountId) => onEditor((people, id) => people.remove(acting(accountId), id, Date.now())),
    async (accountId) => {
      const invitation = { hash: 'h', role: 'editor', expiresAtMs: Date.now() + 100_000 } as const;
      await onEditor(async (people, id) => {
        await people.invite(
          acting(accountId),
          newInvitation('editor@example.org', { ...invitation, atMs: Date.now() }),
        );
        await people.join('h', id, 'none', Date.now());
      });
      const form = { csrf: await editor.csrf(), enter: String(accountId) };
      expect((await editor.post('/account/enter', form)).to).toBe('/account');
      return sameSession(editor, server.origin);
    },
  );
  expect(removed.text).toContain('The person who started it may not change codes');
  expect(removed.changed).toBeLessThan(codes);

  const deleted = await run('deleted@example.org', () =>
    server.cli(['account', 'delete', 'deleted@example.org', '--codes', 'keep', '--yes']),
  );
  expect(deleted.changed).toBe(0);
  expect(server.log()).not.toContain('a bulk edit was interrupted');
});
