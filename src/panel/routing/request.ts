import {
  type Session,
  type SignInTokens,
  sessionMaxAgeMs,
  trustedBrowserLifetimeMs,
} from '../../core/accounts/session.ts';
import type { Logger } from '../../lib/logger.ts';
import type { PanelDeps } from '../deps.ts';
import { networkOf } from './client-address.ts';

/** A request to the panel, with its session. */
export interface RequestContext {
  readonly request: Request;
  readonly log: Logger;
  readonly url: URL;
  /** Parameters of the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly nowMs: number;
  /** Path in front of `/account`, such as `/q`; else empty. */
  readonly basePath: string;
  /** Without trailing slash. */
  readonly publicUrl: string;
  /** Whether the public URL is https. */
  readonly isSecure: boolean;
  readonly session: Session | null;
  readonly sessionToken: string | null;
  /** Trusted-browser token, or null. */
  readonly trustedBrowser: string | null;
  /** The client's IP address, or an empty text if it is not known. */
  readonly address: string;
  /** The client's network, by which sign-in attempts are throttled. */
  readonly network: string;
}

/** A request with a valid session. */
export interface SignedInContext extends RequestContext {
  readonly session: Session;
  readonly sessionToken: string;
}

/** Creates the context of a request. */
export async function createRequestContext(
  request: Request,
  peer: string,
  log: Logger,
  deps: PanelDeps,
): Promise<RequestContext> {
  const publicUrl = new URL(deps.publicUrl);
  const isSecure = publicUrl.protocol === 'https:';
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '');
  const sessionToken = cookies.get(cookieName('session', isSecure));
  const address = deps.clientAddress(peer, request.headers.get('x-forwarded-for'));
  return {
    request,
    log,
    url: new URL(request.url),
    params: {},
    nowMs: deps.clock.nowMs(),
    basePath: publicUrl.pathname.replace(/\/$/, ''),
    publicUrl: deps.publicUrl,
    isSecure,
    session: await deps.sessions.find(sessionToken),
    sessionToken,
    trustedBrowser: cookies.get(cookieName('device', isSecure)),
    address,
    network: networkOf(address),
  };
}

/** Returns whether a request has a valid session. */
export function isSignedIn(context: RequestContext): context is SignedInContext {
  return context.session !== null && context.sessionToken !== null;
}

/** @throws Error when the guard let a request without a session through */
export function requireSignedIn(context: RequestContext): SignedInContext {
  if (!isSignedIn(context)) throw new Error('a request without a session passed the guard');
  return context;
}

/** Returns the `Set-Cookie` headers of a sign-in. */
export function signInCookies(
  { session, trustedBrowser }: SignInTokens,
  isSecure: boolean,
): string[] {
  return [
    setCookie('session', session, sessionMaxAgeMs / 1000, isSecure),
    setCookie('device', trustedBrowser, trustedBrowserLifetimeMs / 1000, isSecure),
  ];
}

/** Returns the `Set-Cookie` header that deletes the session cookie. */
export function endedSessionCookie(isSecure: boolean): string {
  return setCookie('session', '', 0, isSecure);
}

function setCookie(
  name: 'session' | 'device',
  value: string,
  maxAge: number,
  isSecure: boolean,
): string {
  return new Bun.Cookie(cookieName(name, isSecure), value, {
    path: '/',
    maxAge,
    httpOnly: true,
    // With `strict`, links from other sites would open the panel signed out. Changes are POSTs.
    sameSite: 'lax',
    secure: isSecure,
  }).toString();
}

/** Browsers accept `__Host-` only over https and from this host itself (RFC 6265bis, 4.1.3.2). */
function cookieName(name: 'session' | 'device', isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}waymark-${name}`;
}
