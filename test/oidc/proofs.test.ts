import { describe, expect, test } from 'bun:test';
import { confirmationLifetimeMs, hashToken } from '../../src/core/accounts/session.ts';
import { stepLifetimeMs } from '../../src/core/accounts/sign-in/step.ts';
import { seal, sealingKey } from '../../src/lib/secrets/sealing.ts';
import {
  createPanelClient,
  type PanelClient,
  type PanelResponse,
  password,
  signedIn,
} from '../panel/client.ts';
import { fieldOf } from '../panel/page.ts';
import { codeOf, turnOn } from '../panel/second-factor.ts';
import { acting } from '../stores/rows.ts';
import { inDatabase } from '../support/database.ts';
import { hasPostgres, sharedPostgres } from '../support/postgres.ts';
import { isCompleteRun, sampleOf } from '../support/sample.ts';
import { type ProviderFixture, useProvider } from './fixture.ts';

/** What a person gives to prove something. */
type Secret = 'password' | 'code' | 'recovery code' | 'token';

/**
 * How the server answers it. `over`: what it belongs to has ended.
 * A recovery code is accepted while the server cannot read the secret of the app.
 */
type Answer =
  | 'accepted'
  | 'wrong'
  | 'unreadable'
  | 'accepted without key'
  | 'wait'
  | 'used'
  | 'over';

const answersTo: Readonly<Record<Secret, readonly Answer[]>> = {
  password: ['accepted', 'wrong', 'wait'],
  code: ['accepted', 'wrong', 'wait', 'used', 'unreadable'],
  'recovery code': ['accepted', 'wrong', 'wait', 'used', 'accepted without key'],
  token: ['accepted', 'wrong', 'used'],
};

/** Something that waits for a proof. */
interface Attempt {
  /** The right token, where a token proves it. */
  readonly token?: string;
  send(secret: string): Promise<PanelResponse>;
  /** Returns of each thing that the proof makes happen whether it has. */
  happened(): Promise<readonly [boolean, ...boolean[]]>;
  /** Uses a secret up at another place. */
  use?(secret: string): Promise<void>;
}

interface Way {
  readonly name: string;
  readonly secret: Secret;
  /** The table and change that end what the proof belongs to. */
  readonly end?: string;
  begin(person: Person): Promise<Attempt>;
}

type Person = Awaited<ReturnType<typeof createPerson>>;

const settings = '/account/settings';
const secondFactor = `${settings}/second-factor`;
const lateStep = `sign_in_steps SET created_at = created_at - ${stepLifetimeMs + 60_000}`;
const lateLink = 'sign_in_links SET expires_at = 1';

let addresses = 0;

/** Creates a client with an address of its own: failed attempts are counted by address as well. */
function newVisitor(origin: string): PanelClient {
  const n = addresses++;
  return createPanelClient(origin, {
    headers: { 'X-Forwarded-For': `198.51.${100 + (n >> 8)}.${n & 255}` },
  });
}

/** Creates an account, with a session that is too old to confirm anything. */
async function createPerson(own: ProviderFixture, hasFactor: boolean) {
  const { server, email } = own;
  const browser = await signedIn(server, email, {
    isOperator: true,
    ageMs: confirmationLifetimeMs + 60_000,
  });
  const factor = hasFactor
    ? await turnOn(browser, password)
    : { secret: '', recoveryCodes: ['none'] };
  const id = await server.onStores(async ({ accounts }) => (await accounts.findByEmail(email))?.id);
  if (id === undefined) throw new Error(`There is no account ${email}.`);
  return { own, server, email, id, browser, ...factor, visitor: () => newVisitor(server.origin) };
}

/** Gives the password, and returns how to send the code after it. */
async function passPassword(client: PanelClient, email: string) {
  const asked = await client.post('/account/sign-in', { email, password });
  const proof = fieldOf(asked.text, 'proof')?.value ?? '';
  return (code: string) =>
    client.post('/account/sign-in/code', { proof, next: '', again: '', code });
}

async function signInWithCode({ own, email, visitor }: Person): Promise<Attempt> {
  const client = visitor();
  const send = await passPassword(client, email);
  return { send, happened: async () => [await own.isSignedIn(client)] };
}

const isConnected = ({ server, id }: Person) =>
  server.onStores(async ({ identities }) => (await identities.ofAccount(id)) !== null);

/** Comes back from the provider, to a page that asks for more. */
async function comeBack(person: Person): Promise<Attempt> {
  const { own, visitor } = person;
  const client = visitor();
  const asked = await own.enter(client);
  return {
    send: (secret) => own.finish(client, asked.text, secret),
    happened: async () => [await own.isSignedIn(client)],
  };
}

async function connectWithProof(person: Person): Promise<Attempt> {
  const { send, happened } = await comeBack(person);
  return {
    send,
    happened: async () => [...(await happened()), await isConnected(person)],
  };
}

/** Confirms as an operator, and makes a link to the account of somebody else. */
async function confirmAsOperator(
  { server, email, browser }: Person,
  field: string,
): Promise<Attempt> {
  const victim = await server.addAccount(`victim-${email}`);
  const csrf = await browser.csrf();
  return {
    send: (secret) =>
      browser.post('/account/confirm', { csrf, next: '/account/accounts', [field]: secret }),
    happened: async () => {
      const { status } = await browser.post(`/account/accounts/${victim}/link`, { csrf });
      return [status === 200];
    },
  };
}

/** Sends a form of the settings, whose other fields are right. */
async function changeOf(
  { browser, server }: Person,
  path: string,
  fieldsOf: (secret: string) => Record<string, string>,
  happened: (stores: Parameters<Parameters<typeof server.onStores>[0]>[0]) => Promise<boolean>,
): Promise<Attempt> {
  const csrf = await browser.csrf();
  return {
    send: (secret) => browser.post(path, { csrf, ...fieldsOf(secret) }),
    happened: async () => [await server.onStores(happened)],
  };
}

const turnOff = (person: Person, fieldsOf: (secret: string) => Record<string, string>) =>
  changeOf(
    person,
    `${secondFactor}/off`,
    fieldsOf,
    async ({ secondFactors }) => (await secondFactors.find(person.id)) === null,
  );

const ways: readonly Way[] = [
  {
    name: 'signing in',
    secret: 'password',
    begin: async ({ own, email, visitor }) => {
      const client = visitor();
      return {
        send: (typed) => client.post('/account/sign-in', { email, password: typed }),
        happened: async () => [await own.isSignedIn(client)],
      };
    },
  },
  ...(['code', 'recovery code'] as const).flatMap((secret): Way[] => [
    { name: 'signing in after the password', secret, end: lateStep, begin: signInWithCode },
    {
      name: 'signing in after the provider',
      secret,
      end: lateStep,
      begin: async (person) => {
        const { own, server, id, email } = person;
        await server.onStores(({ identities }) =>
          identities.bind(acting(id), {
            identity: { issuer: own.provider.issuer, subject: email },
            stepHash: null,
            replacesOthers: false,
            atMs: Date.now(),
          }),
        );
        return comeBack(person);
      },
    },
    { name: 'connecting an identity', secret, end: lateStep, begin: connectWithProof },
    {
      name: 'confirming as an operator',
      secret,
      begin: (person) => confirmAsOperator(person, 'code'),
    },
    {
      name: 'turning the second factor off',
      secret,
      begin: (person) => turnOff(person, (code) => ({ password, code })),
    },
  ]),
  {
    name: 'new recovery codes',
    secret: 'code',
    begin: (person) =>
      changeOf(
        person,
        `${secondFactor}/recovery-codes`,
        (code) => ({ password, code }),
        async ({ secondFactors }) => {
          const unused = hashToken(person.recoveryCodes.at(-1)?.replaceAll('-', '') ?? '');
          return !(await secondFactors.find(person.id))?.recoveryHashes.includes(unused);
        },
      ),
  },
  { name: 'connecting an identity', secret: 'password', end: lateStep, begin: connectWithProof },
  {
    name: 'confirming as an operator',
    secret: 'password',
    begin: (person) => confirmAsOperator(person, 'password'),
  },
  {
    name: 'another password',
    secret: 'password',
    begin: async (person) => {
      const { server, email } = person;
      const hashNow = async () =>
        server.onStores(async ({ credentials }) => (await credentials.find(email))?.passwordHash);
      const before = await hashNow();
      return changeOf(
        person,
        `${settings}/password`,
        (present) => ({ present, next: 'another few words' }),
        async () => (await hashNow()) !== before,
      );
    },
  },
  {
    name: 'an API key',
    secret: 'password',
    begin: (person) =>
      changeOf(
        person,
        '/account/key',
        (typed) => ({ password: typed, replaces: '' }),
        async ({ keys }) => (await keys.findByAccount(person.id)) !== null,
      ),
  },
  {
    name: 'deleting the account',
    secret: 'password',
    begin: (person) =>
      changeOf(
        person,
        `${settings}/delete`,
        (typed) => ({ email: person.email, password: typed, codes: 'keep' }),
        async ({ accounts }) => (await accounts.find(person.id)) === null,
      ),
  },
  {
    name: 'a one-time link',
    secret: 'token',
    end: lateLink,
    begin: async ({ own, server, email, visitor }) => {
      const { stdout } = await server.cli(['account', 'link', email, '--json']);
      const path = new URL(JSON.parse(stdout).link).pathname;
      const client = visitor();
      const sendFrom = (sender: PanelClient, token: string) =>
        sender.post(`/account/link/${token}`, { password: 'another few words' });
      return {
        token: path.slice(path.lastIndexOf('/') + 1),
        send: (token) => sendFrom(client, token),
        happened: async () => [await own.isSignedIn(client)],
        use: async (token) => {
          expect((await sendFrom(visitor(), token)).to).toBe('/account');
        },
      };
    },
  },
  {
    name: 'connecting what was offered under Settings',
    secret: 'token',
    end: lateStep,
    begin: async (person) => {
      const { own, browser } = person;
      const csrf = await browser.csrf();
      const query = `?purpose=connect&next=${encodeURIComponent(settings)}`;
      const offered = await own.enter(browser, { query });
      await browser.post('/account/confirm', { csrf, password, next: settings });
      const send = (proof: string) => browser.post(`${settings}/identity`, { csrf, proof });
      return {
        token: fieldOf(offered.text, 'proof')?.value ?? '',
        send,
        happened: async () => [await isConnected(person)],
        use: async (proof) => {
          expect((await send(proof)).to).toBe(settings);
          await browser.post(`${settings}/identity/disconnect`, { csrf });
        },
      };
    },
  },
];

/** Returns what proves it. A code of the app is one that was not used to turn it on. */
function rightOf({ secret, recoveryCodes }: Person, way: Way, { token = '' }: Attempt): string {
  const right = {
    password: () => password,
    code: () => codeOf(secret, 1),
    'recovery code': () => recoveryCodes[0] ?? '',
    token: () => token,
  };
  return right[way.secret]();
}

const wrongOf: Readonly<Record<Secret, readonly string[]>> = {
  password: ['', 'not the password'],
  code: ['', '000000', password],
  'recovery code': ['', '00000-00000-00000-00000'],
  token: ['0'.repeat(64), 'x'],
};

/** Replaces the stored secret of a second factor, and returns how to put it back. */
async function makeUnreadable({ server, id }: Person): Promise<() => Promise<void>> {
  const other = await seal(await sealingKey('the key of another server'), 'A'.repeat(32), 'x');
  const replace = (from: string, to: string) =>
    server.onStores(({ secondFactors }) => secondFactors.replaceSecret(id, from, to));
  const stored = await server.onStores(
    async ({ secondFactors }) => (await secondFactors.find(id))?.secret ?? '',
  );
  expect(stored).toStartWith('sealed1.');
  expect(await replace(stored, other)).toBe(true);
  return async () => {
    expect(await replace(other, stored)).toBe(true);
  };
}

const databases: [name: string, url: string | undefined][] = [['SQLite', undefined]];
if (hasPostgres && isCompleteRun)
  databases.push(['PostgreSQL', await (await sharedPostgres()).createDatabase()]);

describe.each(databases)('on %s', (_, url) => {
  const own = useProvider({}, undefined, {
    WAYMARK_DATABASE_URL: url,
    WAYMARK_BACKUP_DIR: 'off',
    WAYMARK_SECRET_KEY: 'a'.repeat(64),
    WAYMARK_TRUST_PROXY: '127.0.0.1',
  });

  const begin = async (way: Way) => {
    const person = await createPerson(own, way.secret.endsWith('code'));
    const attempt = await way.begin(person);
    return { person, attempt, right: () => rightOf(person, way, attempt) };
  };
  const send = async ({ send }: Attempt, secret: string) => {
    const response = await send(secret);
    expect(response.status).toBeLessThan(500);
    return response;
  };
  const expectNothing = async (attempt: Attempt) =>
    expect(await attempt.happened()).not.toContain(true);
  /** Sends the right secret, and expects everything to happen. */
  const expectAccepted = async (attempt: Attempt, secret: string) => {
    await send(attempt, secret);
    expect(await attempt.happened()).not.toContain(false);
  };

  /** Checks that what waits for the proof is done if it is accepted, and nothing of it otherwise. */
  const checks: Readonly<Record<Answer, (way: Way) => Promise<void>>> = {
    accepted: async (way) => {
      const { attempt, right } = await begin(way);
      await expectNothing(attempt);
      await expectAccepted(attempt, right());
    },
    'accepted without key': async (way) => {
      const { person, attempt, right } = await begin(way);
      await makeUnreadable(person);
      await expectAccepted(attempt, right());
    },
    wrong: async (way) => {
      const { attempt, right } = await begin(way);
      for (const secret of wrongOf[way.secret]) {
        await send(attempt, secret);
        await expectNothing(attempt);
      }
      await expectAccepted(attempt, right());
    },
    unreadable: async (way) => {
      const { person, attempt, right } = await begin(way);
      const putBack = await makeUnreadable(person);
      for (const secret of [right(), '000000']) {
        await send(attempt, secret);
        await expectNothing(attempt);
      }
      await putBack();
      await expectAccepted(attempt, right());
    },
    wait: async (way) => {
      const { attempt, right } = await begin(way);
      const isRefused = async (secret: string) =>
        (await send(attempt, secret)).text.includes('Too many attempts');
      let tries = 0;
      while (!(await isRefused(`guess ${tries}`))) expect(tries++).toBeLessThan(11);
      expect(await isRefused(right())).toBe(true);
      await expectNothing(attempt);
    },
    used: async (way) => {
      const { person, attempt, right } = await begin(way);
      const secret = right();
      if (attempt.use !== undefined) await attempt.use(secret);
      else {
        const other = await signInWithCode(person);
        await expectAccepted(other, secret);
      }
      await send(attempt, secret);
      await expectNothing(attempt);
    },
    over: async (way) => {
      const { person, attempt, right } = await begin(way);
      const account = `(SELECT id FROM accounts WHERE email = '${person.email}')`;
      await inDatabase(
        { database: { WAYMARK_DATABASE_URL: url }, dataFolder: own.server.dataFolder },
        `UPDATE ${way.end} WHERE account_id = ${account}`,
      );
      await send(attempt, right());
      await expectNothing(attempt);
    },
  };

  const cases = ways.flatMap((way) =>
    [...answersTo[way.secret], ...(way.end === undefined ? [] : (['over'] as const))].map(
      (answer) => [way.name, way.secret, answer, way] as const,
    ),
  );
  test.each(sampleOf(cases, 4, url === undefined ? 0 : 2))('%s by a %s: %s', (...row) => {
    const [, , answer, way] = row;
    return checks[answer](way);
  });
});
