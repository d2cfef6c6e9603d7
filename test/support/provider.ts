import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** What the provider says about a person. */
export interface Claims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly groups?: unknown;
}

/** A real OpenID Connect provider in this process, on a port of its own. */
export interface TestProvider {
  readonly issuer: string;
  /** Settings of a server that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** The people that it knows, by subject. */
  readonly people: Map<string, Claims>;
  /** Signs in as somebody and agrees, as a browser does. Returns the address that it comes back to. */
  signIn(address: string, subject: string, browser?: ProviderBrowser): Promise<URL>;
  close(): Promise<void>;
}

/** The cookies of a browser at the provider. */
export type ProviderBrowser = Map<string, string>;

export const clientId = 'waymark';
export const clientSecret = 'secret-of-the-client-0123456789';

// One for all tests: a key of 2,048 bits takes a second.
let keys: Promise<JsonWebKey> | undefined;
async function newKey(): Promise<JsonWebKey> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const { key_ops: _, ...key } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  return key;
}

/**
 * Starts a provider for the servers at these public URLs.
 *
 * @param clientScope the scopes that the client may ask for; all that the provider lists when left out
 */
export async function startProvider(
  publicUrls: readonly string[],
  changes: Configuration = {},
  clientScope?: string,
): Promise<TestProvider> {
  keys ??= newKey();
  const people = new Map<string, Claims>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The cast is safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const callbacks = publicUrls.map((url) => `${url}/account/sign-in/oidc/callback`);
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: callbacks,
        post_logout_redirect_uris: publicUrls.map((url) => `${url}/account/sign-in`),
        id_token_signed_response_alg: 'ES256',
        ...(clientScope !== undefined && { scope: clientScope }),
      },
    ],
    jwks: { keys: [{ ...(await keys), use: 'sig', alg: 'ES256', kid: 'test' }] },
    claims: { email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, ...people.get(subject) }),
    }),
    ...changes,
  });
  server.on('request', provider.callback());
  return {
    issuer,
    env: {
      WAYMARK_OIDC_ISSUER: issuer,
      WAYMARK_OIDC_CLIENT_ID: clientId,
      WAYMARK_OIDC_CLIENT_SECRET: clientSecret,
      WAYMARK_OIDC_NAME: 'Osteria login',
    },
    people,
    signIn: (address, subject, browser = new Map()) => browse(address, subject, browser, callbacks),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const maxHops = 20;

/** Follows redirects and fills in the forms of the provider until it sends the browser back. */
async function browse(
  start: string,
  subject: string,
  cookies: ProviderBrowser,
  callbacks: readonly string[],
): Promise<URL> {
  let address = start;
  let init: RequestInit = {};
  for (let hop = 0; hop < maxHops; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, cookie };
    const response = await fetch(address, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    init = {};
    if (location !== null) {
      address = new URL(location, address).href;
      if (callbacks.some((callback) => address.startsWith(callback))) return new URL(address);
      continue;
    }
    const html = await response.text();
    const action = /action="([^"]+)"/.exec(html)?.[1];
    if (action === undefined)
      throw new Error(`${response.status} at ${address}: ${html.slice(0, 500)}`);
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? 'login';
    const fields = prompt === 'login' ? { prompt, login: subject, password: 'x' } : { prompt };
    address = new URL(action, address).href;
    init = {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
  }
  throw new Error(`the provider does not send the browser back from ${start}`);
}
