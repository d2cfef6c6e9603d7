import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { createPanelClient, type PanelClient, signedIn } from './client.ts';
import { routesOfPanel } from './routes.ts';

let server: Server;
let holder: PanelClient;
beforeAll(async () => {
  server = await startServer();
  holder = await signedIn(server, 'anna@example.org');
});
afterAll(() => server.close());

type Row = readonly [method: string, path: string, who: string];

// With something in the place of the parameters.
const routes: Row[] = routesOfPanel().map(({ method, path, who }) => [
  method,
  path.replace(':code', 'zzzzzzzz').replace(':id', '1').replace(':token', 'f'.repeat(64)),
  who,
]);
const changes = routes.filter(([method]) => method === 'POST');

const ask = (client: PanelClient, [method, path]: Row, fields: Record<string, string> = {}) =>
  method === 'GET' ? client.get(path) : client.post(path, fields);

describe('a stranger is sent to the sign-in', () => {
  test.each(routes.filter(([, , who]) => who !== 'anyone'))(
    'by %s %s',
    async (...[method, path, who]) => {
      const answer = await ask(createPanelClient(server.origin), [method, path, who]);
      expect(answer.status).toBe(303);
      expect(answer.to).toStartWith('/account/sign-in');
    },
  );
});

describe('what is for operators does not exist for others', () => {
  test.each(routes.filter(([, , who]) => who === 'operator'))(
    '%s %s',
    async (...[method, path, who]) => {
      expect((await ask(holder, [method, path, who], { csrf: await holder.csrf() })).status).toBe(
        404,
      );
    },
  );
});

describe('a form from another site is refused', () => {
  test.each(changes)('by %s %s', async (_, path, who) => {
    const client = who === 'anyone' ? createPanelClient(server.origin) : holder;
    const answer = await client.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.status).toBe(who === 'operator' ? 404 : 403);
  });
});

test('a code that the operator has blocked is not said to redirect again', async () => {
  const form = async () => ({ csrf: await holder.csrf() });
  const made = await holder.post('/account/codes', {
    ...(await form()),
    url: 'https://example.org/',
  });
  const code = /codes\/([0-9a-z]{8})/.exec(made.to ?? '')?.[1] ?? '';
  const answerTo = async (verb: string) =>
    (await holder.post(`/account/codes/${code}/${verb}`, await form())).to;
  expect(await answerTo('pause')).toBe(`/account/codes/${code}?done=paused`);
  expect((await server.cli(['safety', 'block-code', code])).exitCode).toBe(0);
  expect(await answerTo('resume')).toBe(`/account/codes/${code}`);
  expect((await server.cli(['safety', 'unblock-code', code])).exitCode).toBe(0);
  expect((await fetch(`${server.origin}/${code}`, { redirect: 'manual' })).status).toBe(410);
  expect(await answerTo('resume')).toBe(`/account/codes/${code}?done=resumed`);
});

describe('a form without its token is refused', () => {
  test.each(changes.filter(([, , who]) => who === 'signed-in'))(
    'by %s %s',
    async (...[method, path, who]) => {
      expect((await ask(holder, [method, path, who])).status).toBe(403);
    },
  );
});
