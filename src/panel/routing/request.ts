import type { Session } from '../../core/accounts/session.ts';
import type { Logger } from '../../lib/logger.ts';
import type { PanelDeps } from '../deps.ts';
import { originOf } from './client-address.ts';
import { readCookies } from './cookies.ts';

/** One request to the panel, and who makes it. */
export interface RequestContext {
  readonly request: Request;
  /** Says of each line which request it belongs to. */
  readonly log: Logger;
  readonly url: URL;
  readonly nowMs: number;
  /** Path in front of `/account` where the server lives below one, such as `/q`; else empty. */
  readonly basePath: string;
  /** Where people reach the server, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether people reach the server over https. */
  readonly secure: boolean;
  readonly session: Session | null;
  readonly sessionToken: string | null;
  /** Token of a browser that has signed in before, or null. */
  readonly device: string | null;
  /** Names where the request comes from, for slowing guesses down and nothing else. */
  readonly origin: string;
}

/** A context of someone who is signed in. */
export interface SignedInContext extends RequestContext {
  readonly session: Session;
  readonly sessionToken: string;
}

/** Looks up who makes a request. */
export async function createRequestContext(
  request: Request,
  peer: string,
  log: Logger,
  deps: PanelDeps,
): Promise<RequestContext> {
  const publicUrl = new URL(deps.publicUrl);
  const secure = publicUrl.protocol === 'https:';
  const { session: sessionToken, device } = readCookies(request.headers.get('cookie'), secure);
  const address = deps.clientAddress(peer, request.headers.get('x-forwarded-for'));
  return {
    request,
    log,
    url: new URL(request.url),
    nowMs: deps.clock.nowMs(),
    basePath: publicUrl.pathname.replace(/\/$/, ''),
    publicUrl: deps.publicUrl,
    secure,
    session: await deps.sessions.find(sessionToken),
    sessionToken,
    device,
    origin: originOf(address),
  };
}

/** Whether the visitor is signed in; a session is only ever found by its token. */
export function isSignedIn(context: RequestContext): context is SignedInContext {
  return context.session !== null && context.sessionToken !== null;
}
