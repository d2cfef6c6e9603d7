import { afterAll, beforeAll, beforeEach } from 'bun:test';
import { createPanelClient, type PanelClient } from '../panel/client.ts';
import { parsePage, sentFields } from '../panel/page.ts';
import type { Env } from '../support/program.ts';
import { type ProviderBrowser, startProvider, type TestProvider } from '../support/provider.ts';
import { oneProcess, type Server, startServer } from '../support/server.ts';

/** Path at which a sign-in with the provider begins. */
export const start = '/account/sign-in/oidc';

/** A server with a provider of its own, for the tests of a `describe`. */
export interface ProviderFixture {
  readonly server: Server;
  readonly provider: TestProvider;
  /** Address and subject of the person of this test, which the provider has verified. */
  readonly email: string;
  /** Starts the server again, with further settings. */
  restart(env?: Env): Promise<void>;
  /** Sets what the provider says about a person. */
  knows(subject: string, claims: object): void;
  /** Goes to the provider, signs in there as the person of the test, and comes back. */
  enter(
    client: PanelClient,
    options?: { subject?: string; query?: string; at?: ProviderBrowser },
  ): ReturnType<PanelClient['get']>;
  visitor(): PanelClient;
  isSignedIn(client: PanelClient): Promise<boolean>;
  /** Returns the address of who is signed in. */
  whoIs(client: PanelClient): Promise<string | undefined>;
  /** Returns the subject that an account is connected with. */
  identityOf(email?: string): Promise<string | null>;
  /** Fills in the form that asks for more. */
  finish(
    client: PanelClient,
    shown: string,
    secret: string,
    changes?: Record<string, string>,
  ): ReturnType<PanelClient['get']>;
}

let people = 0;

/**
 * Starts a server that uses a provider, for the tests of this `describe`.
 *
 * @param clientScope see `startProvider`
 * @param base settings that the server has from its first start, and commands as well
 */
export function useProvider(env: Env = {}, clientScope?: string, base: Env = {}): ProviderFixture {
  let server: Server;
  let provider: TestProvider;
  let email = '';
  beforeAll(async () => {
    server = await startServer({ ...oneProcess, ...base });
    await server.stop();
    provider = await startProvider([server.origin], {}, clientScope);
    await server.start({ ...provider.env, ...env });
    // Otherwise, the first account is missing.
    await server.addAccount('first@example.org');
  });
  afterAll(async () => {
    await server.close();
    await provider.close();
  });
  beforeEach(() => {
    email = `person-${people++}@example.org`;
    provider.people.set(email, { email, email_verified: true });
  });
  return {
    get server() {
      return server;
    },
    get provider() {
      return provider;
    },
    get email() {
      return email;
    },
    restart: async (changes = {}) => {
      await server.stop();
      await server.start({ ...provider.env, ...env, ...changes });
    },
    knows: (subject, claims) => provider.people.set(subject, claims),
    enter: async (client, { subject = email, query = '', at = new Map() } = {}) => {
      const { to, text } = await client.get(`${start}${query}`);
      if (to === null) throw new Error(text);
      const back = await provider.signIn(to, subject, at);
      return client.get(`${back.pathname}${back.search}`);
    },
    visitor: () => createPanelClient(server.origin),
    isSignedIn: async (client) => (await client.get('/account')).status === 200,
    whoIs: async (client) =>
      /Account ([^"]+)"/.exec((await client.get('/account/settings')).text)?.[1],
    identityOf: async (of = email) =>
      JSON.parse((await server.cli(['account', 'identity', of, '--json'])).stdout).subject,
    finish: (client, shown, secret, changes = {}) => {
      const form = parsePage(shown).forms.find(({ action }) => action.endsWith('/finish'));
      return client.post(`${start}/finish`, { ...sentFields(form), secret, ...changes });
    },
  };
}
