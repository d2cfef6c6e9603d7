import { realClock, realRandomBytes } from '../../src/compose/runtime.ts';
import { createSignInTokens } from '../../src/core/accounts/session.ts';
import { signInCookies } from '../../src/panel/request/request.ts';
import type { AccountOptions, SharedServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** A response, redirects not followed. */
export interface PanelResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly to: string | null;
}

/** An HTTP client of the panel that keeps cookies. */
export interface PanelClient {
  get(path: string, headers?: Record<string, string>): Promise<PanelResponse>;
  /**
   * Sends a form as our own pages do; `headers` override those of a browser. Where a bulk edit takes long, which any may
   * on a busy machine, waits for its end as a browser does.
   */
  post(
    path: string,
    fields: Record<string, string | Blob>,
    headers?: Record<string, string | null>,
  ): Promise<PanelResponse>;
  /** As `post`, but may return the way to the page that waits. */
  postWithoutWaiting: PanelClient['post'];
  /** Returns the CSRF token of this session, which the first call reads from a page. */
  csrf(): Promise<string>;
  /** The current cookies by name. */
  readonly cookies: Map<string, string>;
}

export const password = 'a few unrelated words';

/** @param options sent with every request, such as a certificate to trust */
export function createPanelClient(origin: string, options: BunFetchRequestInit = {}): PanelClient {
  const cookies = new Map<string, string>();
  const csrfTokens = new Map<string, string>();

  const send = async (path: string, init: RequestInit): Promise<PanelResponse> => {
    const headers = new Headers(options.headers);
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    if (cookies.size > 0)
      headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(`${origin}${path}`, {
      ...options,
      ...init,
      headers,
      redirect: 'manual',
      keepalive: false,
    });
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    const bytes = await response.bytes();
    const text = new TextDecoder().decode(bytes);
    const to = response.headers.get('location');
    return { status: response.status, headers: response.headers, text, bytes, to };
  };

  const get: PanelClient['get'] = (path, headers = {}) => send(path, { headers });
  const postWithoutWaiting: PanelClient['post'] = async (path, fields, headers = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const sent = new Headers({ 'Sec-Fetch-Site': 'same-origin', Origin: origin });
    for (const [name, value] of Object.entries(headers))
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    return send(path, { method: 'POST', body: form, headers: sent });
  };
  return {
    cookies,
    get,
    postWithoutWaiting,
    post: async (...form) => {
      let response = await postWithoutWaiting(...form);
      const { to } = response;
      if (to?.includes('/account/bulk-edits/'))
        await until(async () => {
          response = await get(to);
          return !response.headers.has('refresh');
        });
      return response;
    },
    csrf: async () => {
      const session = [...cookies].find(([name]) => name.endsWith('waymark-session'))?.[1] ?? '';
      const known = csrfTokens.get(session);
      if (known !== undefined) return known;
      const { text } = await get('/account/settings');
      const token = /name="csrf" value="([0-9a-f]{64})"/.exec(text)?.[1];
      if (token === undefined) throw new Error('no form carries a token');
      csrfTokens.set(session, token);
      return token;
    },
  };
}

/** Applies a `Set-Cookie` header. */
function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (value === '') cookies.delete(name);
  else cookies.set(name, value);
}

// The least that is accepted: each password that a form asks for takes 30 ms of a processor otherwise.
const cheapHash = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const;
let passwordHash: Promise<string> | undefined;

/** An account that is signed in. */
export interface SignedInOptions extends AccountOptions {
  /** Age of the session; a session that is older than ten minutes is not confirmed. */
  readonly ageMs?: number;
}

/** Creates an account with a password and a session, without the sign-in. */
export async function signedIn(
  server: SharedServer,
  email: string,
  options: SignedInOptions = {},
): Promise<PanelClient> {
  passwordHash ??= Bun.password.hash(password, cheapHash);
  const hash = options.passwordHash ?? (await passwordHash);
  const id = await server.addAccount(email, { ...options, passwordHash: hash });
  const client = createPanelClient(server.origin);
  const clock = { ...realClock, nowMs: () => realClock.nowMs() - (options.ageMs ?? 0) };
  await server.onStores(async ({ credentials }, { publicUrl }) => {
    const { tokens, stored } = createSignInTokens(clock, realRandomBytes, 'test');
    await credentials.signIn(id, hash, stored, null);
    for (const line of signInCookies(tokens, publicUrl.startsWith('https:')))
      keepCookie(client.cookies, line);
  });
  return client;
}

/** Signs in with the password of {@link signedIn}, as another browser. */
export async function signIn(server: SharedServer, email: string): Promise<PanelClient> {
  const client = createPanelClient(server.origin);
  const response = await client.post('/account/sign-in', { email, password });
  if (response.status !== 303) throw new Error(`${response.status} ${response.text}`);
  return client;
}

/** Creates a code in the panel, with other fields of its form, and returns its code. */
export async function createCode(
  client: PanelClient,
  url: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const form = { csrf: await client.csrf(), url, ...fields };
  const { to, status, text } = await client.post('/account/codes', form);
  const code = /^\/account\/codes\/([0-9a-z]{8})$/.exec(to ?? '')?.[1];
  if (code === undefined) throw new Error(`${status} ${text}`);
  return code;
}
