import {
  type SignInTokens,
  sessionMaxAgeMs,
  trustedBrowserLifetimeMs,
} from '../../core/accounts/session.ts';

/** What the panel keeps in the browser: who is signed in, and that someone has been before. */
type CookieName = 'session' | 'device';

const lifeSeconds: Record<CookieName, number> = {
  session: sessionMaxAgeMs / 1000,
  device: trustedBrowserLifetimeMs / 1000,
};

/** The tokens in a `Cookie` header; null where there is none. */
export function readCookies(
  header: string | null,
  secure: boolean,
): Record<CookieName, string | null> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0) cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
  }
  const read = (name: CookieName) => cookies.get(nameOf(name, secure)) ?? null;
  return { session: read('session'), device: read('device') };
}

/** A `Set-Cookie` that keeps a token, out of reach of scripts and of forms on other sites. */
function keep(name: CookieName, token: string, secure: boolean): string {
  return cookie(name, token, lifeSeconds[name], secure);
}

/** The cookies of a browser that has come in. */
export function signInCookies(
  { session, trustedBrowser }: SignInTokens,
  secure: boolean,
): string[] {
  return [keep('session', session, secure), keep('device', trustedBrowser, secure)];
}

/** A `Set-Cookie` that makes the browser forget a token. */
export function forget(name: CookieName, secure: boolean): string {
  return cookie(name, '', 0, secure);
}

// Lax, not Strict: a link in a mail or a bookmark service may lead to the panel. Every change is a
// POST, which Lax keeps from other sites and the guard refuses besides.
function cookie(name: CookieName, value: string, maxAgeSeconds: number, secure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
  return `${nameOf(name, secure)}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}

/** Browsers take `__Host-` only from this very host and only over https. */
function nameOf(name: CookieName, secure: boolean): string {
  return secure ? `__Host-waymark-${name}` : `waymark-${name}`;
}
