import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { hashPassword } from '../../src/core/accounts/password.ts';
import { createPanelClient, type PanelClient, password, signedIn } from '../panel/client.ts';
import { measure, median, waitUntilIdle } from './measure.ts';
import { codeOf, getRequest, redirectTo, startFilled, targetOf } from './servers.ts';

const codes = 100_000;

/** Goals: the time under attack, of that of an idle server, and the share of the redirects. */
const [maxTimes, minRedirects] = [3, 0.8];

/** What an attacker sends at once, without pause. */
interface Attack {
  readonly connections: number;
  readonly requests: readonly string[];
}

/** Does a task once, and returns whether it was done. */
type Task = (number: number) => Promise<boolean>;

/**
 * Measures how long sign-ins, creates, uploads and searches of one account take, and how many redirects there are,
 * while another account or network asks for as much as it can, compared with an idle server. Prints a line for each.
 *
 * @param seconds length of a measurement, half of it idle
 * @param only number of the attack, from 1; 0 for all
 */
export async function benchFairness(seconds = 6, only = 0): Promise<void> {
  const { server } = await startFilled(codes, {
    WAYMARK_TRUST_PROXY: '127.0.0.1',
  });
  // Verified at the cost of real ones.
  const passwordHash = await hashPassword(password);
  const account = { passwordHash, planUntilMs: Date.parse('2099-12-31') };
  const mallory = await signedIn(server, 'mallory@example.com', account);
  const ann = await signedIn(server, 'ann@example.com', account);
  giveCodes(join(server.dataFolder, 'waymark.db'), 'mallory@example.com');
  const { api } = await server.account('alice@example.com');
  for (let made = 0; made < 110; made++) await api.create(`https://example.com/${made}`);

  const csrf = await mallory.csrf();
  const cookie = `Cookie: ${[...mallory.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}\r\n`;
  const signInFields = (email: string) => ({ email, password });
  const attacks: Readonly<Record<string, Attack>> = {
    'its own right password, one address': {
      connections: 12,
      requests: [
        post('/account/sign-in', signInFields('mallory@example.com'), from('198.51.100.1')),
      ],
    },
    'sign-ins from 2,000 prefixes (/64) of a network': {
      connections: 64,
      requests: numbers(2000).map((at) =>
        post(
          '/account/sign-in',
          signInFields(`a${at}@example.com`),
          from(`2001:db8:1:${hex(at)}::1`),
        ),
      ),
    },
    'sign-ins from 2,000 networks (/48)': {
      connections: 64,
      requests: numbers(2000).map((at) =>
        post(
          '/account/sign-in',
          signInFields(`a${at}@example.com`),
          from(`2001:db8:${hex(at)}::1`),
        ),
      ),
    },
    'PNGs of 4096 px': {
      connections: 40,
      requests: numbers(2000).map((at) =>
        getRequest(`/account/codes/${codeOf(at)}/image.png?size=4096`, cookie),
      ),
    },
    // Most of them are repeated, and answered without a new code.
    'creates in the panel': {
      connections: 40,
      requests: numbers(2000).map((at) =>
        post('/account/codes', { csrf, url: `https://example.com/${at}`, attempt: '' }, cookie),
      ),
    },
    'uploads of slow logos': {
      connections: 12,
      requests: numbers(200).map((at) =>
        post('/account/design', { csrf, do: 'fragment', draft_logo: slowLogo(at) }, cookie),
      ),
    },
    'searches that find nothing': {
      connections: 10,
      requests: numbers(50).map((at) => getRequest(`/account/codes?q=stra%C3%9Fe+${at}`, cookie)),
    },
  };

  const ownCsrf = await ann.csrf();
  const trusted = (): PanelClient => {
    const browser = createPanelClient(server.origin);
    browser.cookies.set('waymark-device', ann.cookies.get('waymark-device') ?? '');
    return browser;
  };
  const signIn = async (browser: PanelClient) => {
    const fields = signInFields('ann@example.com');
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    return (await browser.post('/account/sign-in', fields, headers)).status === 303;
  };
  const tasks: Readonly<Record<string, Task>> = {
    'sign-in, trusted': () => signIn(trusted()),
    'sign-in, new': () => signIn(createPanelClient(server.origin)),
    create: async (number) => {
      const body = { url: `https://example.com/fair/${number}` };
      return (await api.call('POST /qrs', body)).status === 201;
    },
    upload: async (number) => {
      const color = (number % 0xffffff).toString(16).padStart(6, '0');
      const logo = new Blob([svg(`<rect width="99" height="99" fill="#${color}"/>`)]);
      const fields = { csrf: ownCsrf, do: 'fragment', logo };
      return (await ann.post('/account/design', fields)).text.includes('name="draft_logo"');
    },
    search: async () => (await ann.get('/account/codes?q=nothing')).status === 200,
  };
  const redirects = targetOf(
    'redirects',
    server,
    numbers(10_000).map((number) => redirectTo(number)),
  );

  let missed = 0;
  const report = (attack: string, what: string, figures: string, isMet: boolean) => {
    if (!isMet) missed++;
    console.log(`${isMet ? 'ok    ' : 'MISSED'} ${attack}: ${what} ${figures}`);
  };
  for (const [name, attack] of Object.entries(attacks).slice(
    only > 0 ? only - 1 : 0,
    only || undefined,
  )) {
    const target = { ...redirects, name, requests: attack.requests };
    // Refused requests of an attacker are expected.
    const start = (duration: number) =>
      measure(target, { connections: attack.connections, seconds: duration }).catch(() => null);
    for (const [what, task] of Object.entries(tasks)) {
      await waitUntilIdle(server.pid());
      const idle = await timesOf(task, seconds / 2);
      const attacking = start(Math.ceil(seconds / 2) + 1);
      await Bun.sleep(500);
      const busy = await timesOf(task, seconds / 2);
      await attacking;
      const [idleMs, busyMs] = [median(idle.ms), median(busy.ms)];
      const ratio = busyMs / idleMs;
      const figures = `${idleMs.toFixed(0)} → ${busyMs.toFixed(0)} ms, ${ratio.toFixed(1)} (at most ${maxTimes}), ${busy.refused} of ${busy.ms.length} refused`;
      report(name, what, figures, ratio <= maxTimes && busy.refused === 0);
    }
    await waitUntilIdle(server.pid());
    const idle = await measure(redirects, { seconds: 2 });
    const attacking = start(3);
    await Bun.sleep(500);
    const busy = await measure(redirects, { seconds: 2 });
    await attacking;
    await waitUntilIdle(server.pid());
    const idleAgain = await measure(redirects, { seconds: 2 });
    const share = (2 * busy.perSecond) / (idle.perSecond + idleAgain.perSecond);
    const figures = `${idle.perSecond.toFixed(0)} → ${busy.perSecond.toFixed(0)} → ${idleAgain.perSecond.toFixed(0)} per second, ${share.toFixed(2)} (at least ${minRedirects})`;
    report(name, 'redirects', figures, share >= minRedirects);
  }
  console.log(`${missed} missed`);
  await server.close();
}

let done = 0;

/** Repeats a task, and returns how long each took, in milliseconds, and how many were refused. */
async function timesOf(task: Task, seconds: number): Promise<{ ms: number[]; refused: number }> {
  const ms: number[] = [];
  let refused = 0;
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const start = performance.now();
    if (!(await task(done++))) refused++;
    ms.push(performance.now() - start);
    await Bun.sleep(50);
  }
  return { ms, refused };
}

/** Gives all codes to an account, with notes that are slow to search. */
function giveCodes(file: string, email: string): void {
  const database = new Database(file, { strict: true });
  const { id } = database
    .query<{ id: number }, [string]>('SELECT id FROM accounts WHERE email = ?')
    .get(email) ?? { id: 0 };
  database
    .query('UPDATE qrs SET account_id = $id, note = $note')
    .run({ id, note: 'Größe '.repeat(50) });
  database
    .query('UPDATE accounts SET qr_count = CASE id WHEN $id THEN $codes ELSE 0 END')
    .run({ id, codes });
  database.close();
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

const hex = (number: number) => number.toString(16);

const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;

/** Returns the request of a form. */
function post(path: string, fields: Record<string, string>, headers: string): string {
  const body = new URLSearchParams(fields).toString();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
}

function svg(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99">${content}</svg>`;
}

/** Returns a logo in base64 that takes all the time that a conversion may take. */
function slowLogo(number: number): string {
  const masks = numbers(22).map((level) => {
    const masked = `<rect width="99" height="99" mask="url(#m${level + 1})"/>`;
    return `<mask id="m${level}">${masked.repeat(2)}</mask>`;
  });
  const content = `<!-- ${number} -->${masks.join('')}<rect width="99" height="99" mask="url(#m0)"/>`;
  return Buffer.from(svg(content)).toString('base64');
}
