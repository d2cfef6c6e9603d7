import { afterAll, describe, expect, test } from 'bun:test';
import { createPanelClient, password, signedIn } from '../panel/client.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { asRecord } from '../support/wire.ts';

// Security checks 26 and 40 (ASVS 15.4.2): concurrent requests have the result of sequential ones.
const server = await startServer();
afterAll(server.close);

test('security check 26: the first account is created once by concurrent uses of its link', async () => {
  const link = /\/account\/link\/[0-9a-f]{64}/;
  // The server responds before it prints the link.
  await until(() => link.test(server.log()));
  const path = link.exec(server.log())?.[0] ?? '';
  const attempt = async (index: number) =>
    createPanelClient(server.origin).post(path, {
      email: `first${index}@example.org`,
      password: 'a few unrelated words',
    });
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => attempt(index)));
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  const { stdout } = await server.cli(['account', 'list', '--json']);
  expect(stdout.match(/@example\.org/g)).toHaveLength(1);

  expect((await attempt(99)).status).not.toBe(303);
  await server.stop();
  const before = server.log().length;
  await server.start();
  expect(server.log().slice(before)).not.toContain('/account/link/');
});

test('security check 40: of concurrent PATCHes, the link redirects to one of the destinations', async () => {
  const { api } = await server.account('patch@example.org');
  const { code, url } = await api.create();
  const sent = Array.from({ length: 50 }, (_, index) => `https://example.org/${index}`);
  const answers = await Promise.all(
    sent.map((destination) => api.call(`PATCH /qrs/${code}`, { url: destination })),
  );
  for (const [index, answer] of answers.entries())
    expect(asRecord(answer.json).destination).toBe(sent[index] ?? '');
  const { destination } = await api.read(code);
  expect(sent).toContain(destination);
  expect((await visit(url)).to).toBe(destination);
});

describe('a change of password', () => {
  const next = 'another few words';

  test('ends sessions that were being created with the old password', async () => {
    const email = 'anna@example.org';
    const owner = await signedIn(server, email);
    const csrf = await owner.csrf();
    let isChanged = false;
    const entered: string[] = [];
    const signInAgainAndAgain = async () => {
      while (!isChanged) {
        const intruder = createPanelClient(server.origin);
        await intruder.post('/account/sign-in', { email, password });
        entered.push(intruder.cookies.get('waymark-session') ?? '');
      }
    };
    const signingIn = [signInAgainAndAgain(), signInAgainAndAgain()];
    const fields = { csrf, present: password, next };
    await until(() => entered.length >= 4);
    expect((await owner.post('/account/settings/password', fields)).status).toBe(303);
    isChanged = true;
    await Promise.all(signingIn);
    for (const token of entered.filter((token) => token !== '')) {
      const intruder = createPanelClient(server.origin);
      intruder.cookies.set('waymark-session', token);
      expect((await intruder.get('/account')).to).toBe('/account/sign-in');
    }
    expect((await owner.get('/account')).status).toBe(200);
  });

  test('rejects a form whose session ended while its body was arriving', async () => {
    const email = 'olga@example.org';
    const intruder = await signedIn(server, email, { isOperator: true });
    const { text } = await intruder.get(`/account/accounts?q=${email}`);
    const path = `${/\/account\/accounts\/\d+/.exec(text)?.[0]}/link`;
    const csrf = await intruder.csrf();
    const body = new ReadableStream<string>({
      start: async (sending) => {
        sending.enqueue(`csrf=${csrf.slice(0, 32)}`);
        await server.cli(['account', 'password', email, '--password-stdin'], { stdin: next });
        sending.enqueue(csrf.slice(32));
        sending.close();
      },
    });
    const answer = await fetch(`${server.origin}${path}`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Sec-Fetch-Site': 'same-origin',
        Cookie: [...intruder.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      redirect: 'manual',
      keepalive: false,
    });
    // Otherwise a stolen operator session could create a sign-in link for its own account.
    expect(await answer.text()).not.toContain('/account/link/');
    expect(answer.status).toBe(401);
  });
});
