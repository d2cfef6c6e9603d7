/**
 * Security check 24 and the timing of keys (ASVS 6.3.8, 11.2.4): whether a stranger can tell by how
 * long an answer takes what it does not say. Pairs are asked in turn, so that both meet the same
 * machine; medians are compared, and each half of the pairs with the other half of the same kind,
 * which shows how much the machine itself differs.
 *
 *   bun test/hostile/timing.ts [requests of each kind, default 2,000]
 */
import { createPanelClient } from '../panel/client.ts';
import { startServer } from '../support/server.ts';

const rounds = Number(process.argv[2] ?? 2_000);
// An account gets ten tries at once and an address thirty: so several of both.
const [accounts, triesEach] = [6, 9];

const server = await startServer({ WAYMARK_TRUST_PROXY: '127.0.0.1' });
const alice = await server.account('alice@example.org');
const bob = await server.account('bob@example.org');
const { code } = await alice.api.create();
const known = Array.from({ length: accounts }, (_, index) => `known${index}@example.org`);
for (const email of known)
  await server.cli(['account', 'create', email, '--password-stdin'], {
    stdin: 'a few unrelated words',
  });

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await ask();
  return (performance.now() - begin) * 1000;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const even = (values: readonly number[]) => values.filter((_, index) => index % 2 === 0);
const odd = (values: readonly number[]) => values.filter((_, index) => index % 2 === 1);
const percent = (one: number, other: number) => `${(((one - other) / other) * 100).toFixed(1)} %`;

async function compare(
  name: string,
  count: number,
  one: (index: number) => Promise<unknown>,
  other: (index: number) => Promise<unknown>,
): Promise<void> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let index = 0; index < count; index++) {
    // Whoever comes first now comes second next time.
    const first = index % 2 === 0;
    if (first) ones.push(await timed(() => one(index)));
    others.push(await timed(() => other(index)));
    if (!first) ones.push(await timed(() => one(index)));
  }
  const [a, b] = [median(ones), median(others)];
  const noise = percent(median(even(others)), median(odd(others)));
  console.log(
    `| ${name} | ${count} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${percent(a, b)} | ${noise} |`,
  );
}

const ask = (key: string, path: string) =>
  fetch(`${server.origin}/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } }).then(
    (response) => response.arrayBuffer(),
  );
const flipped = (key: string, at: number) =>
  key.slice(0, at) + (key[at] === '0' ? '1' : '0') + key.slice(at + 1);
const signIn = (email: string, index: number) =>
  createPanelClient(server.origin).post(
    '/account/sign-in',
    { email, password: 'not the one' },
    { 'X-Forwarded-For': `198.51.100.${index}` },
  );

for (let warm = 0; warm < 200; warm++) await ask(alice.key, `/qrs/${code}`);
console.log('| pair | requests each | µs | µs | difference | the second against itself |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
const wrongAt = (at: number) => () => ask(flipped(alice.key, at), '/qrs');
await compare('a key wrong in its first digit, in its last', rounds, wrongAt(4), wrongAt(43));
await compare(
  'a key of nobody, a key wrong in its last digit',
  rounds,
  () => ask(`wmk_${'0'.repeat(40)}`, '/qrs'),
  wrongAt(43),
);
await compare(
  "another's code, a code of nobody",
  rounds,
  () => ask(bob.key, `/qrs/${code}`),
  () => ask(bob.key, '/qrs/zzzzzzzz'),
);
await compare(
  'a wrong password for a known e-mail, for an unknown one',
  accounts * triesEach,
  (index) => signIn(known[index % accounts] ?? '', index),
  (index) => signIn(`nobody${index}@example.org`, index),
);
await server.close();
