import type { Sessions } from '../../core/accounts/session.ts';
import { PanelError, pageNotFound } from './errors.tsx';
import { type FormFields, readForm } from './forms.ts';
import {
  isSignedIn,
  type RequestContext,
  requireSignedIn,
  type SignedInContext,
} from './request.ts';
import { redirectTo } from './responses.tsx';

/** A route of the panel. Every change is a POST, whose form is checked before the handler runs. */
export type Route = {
  readonly path: string;
  /** Who may use the route. Checked before the handler runs. */
  readonly audience: 'anyone' | 'signed-in' | 'operator';
} & (
  | { readonly method: 'GET'; respond(context: RequestContext): Promise<Response> }
  | {
      readonly method: 'POST';
      /** Maximum size of its form with files; that of a logo when left out. */
      readonly uploadBytes?: number;
      respond(context: RequestContext, form: FormFields): Promise<Response>;
    }
);

function routesFor<Context>(
  audience: Route['audience'],
  narrow: (context: RequestContext) => Context,
) {
  return {
    get: (path: string, handle: (context: Context) => Promise<Response>): Route => ({
      method: 'GET',
      path,
      audience,
      respond: (context) => handle(narrow(context)),
    }),
    post: (
      path: string,
      handle: (context: Context, form: FormFields) => Promise<Response>,
    ): Route => ({
      method: 'POST',
      path,
      audience,
      respond: (context, form) => handle(narrow(context), form),
    }),
    /** A form with files of another size than a logo. */
    upload: (
      path: string,
      uploadBytes: number,
      handle: (context: Context, form: FormFields) => Promise<Response>,
    ): Route => ({
      method: 'POST',
      path,
      audience,
      uploadBytes,
      respond: (context, form) => handle(narrow(context), form),
    }),
  };
}

/** Routes that need no session. */
export const anyone = routesFor('anyone', (context) => context);
/** Routes for account holders. */
export const signedIn = routesFor<SignedInContext>('signed-in', requireSignedIn);
/** Routes for operators. Other accounts get 404. */
export const operator = routesFor<SignedInContext>('operator', requireSignedIn);

/**
 * Runs a route's handler after checking, in this order, the session, the form's origin and its CSRF
 * token. Without a session it redirects to the sign-in page.
 *
 * @throws PanelError 403 for another origin or token, 404 for an operator route and another account
 */
export async function runRoute(
  route: Route,
  context: RequestContext,
  sessions: Pick<Sessions, 'find'>,
): Promise<Response> {
  if (!isAllowed(route, context)) return redirectToSignIn(context);
  if (route.method === 'GET') return route.respond(context);

  if (!isSameOrigin(context.request.headers, context.publicUrl))
    throw new PanelError(
      403,
      'This form was sent from another address',
      `Nothing was changed. Open the panel at ${context.publicUrl}/account and try again.`,
    );
  const form = await readForm(context.request, isSignedIn(context), route.uploadBytes);
  if (route.audience === 'anyone') return route.respond(context, form);
  // The session may have ended while the body arrived.
  const current = { ...context, session: await sessions.find(context.sessionToken) };
  if (!isAllowed(route, current)) return redirectToSignIn(current);
  const { session } = requireSignedIn(current);
  if (!isSameToken(form.text('csrf'), session.csrfToken))
    throw new PanelError(
      403,
      'This form is out of date',
      'Nothing was changed. Go back, reload the page and try again.',
    );
  return route.respond(current, form);
}

/**
 * Returns whether the session may use a route. False means that signing in is required.
 *
 * @throws PanelError 404 for an operator route and another account
 */
function isAllowed({ audience }: Route, context: RequestContext): boolean {
  if (audience === 'anyone') return true;
  if (!isSignedIn(context)) return false;
  if (audience === 'operator' && !context.session.account.isOperator) throw pageNotFound();
  return true;
}

/**
 * Returns whether a form was sent by a page of this server (OWASP, "Fetch Metadata"). Older browsers
 * send `Origin` instead of `Sec-Fetch-Site`.
 */
function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  return headers.get('origin') === new URL(publicUrl).origin;
}

/** Compares two tokens in constant time. */
function isSameToken(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}

function redirectToSignIn(context: RequestContext): Response {
  const { pathname, search } = context.url;
  const next = safeNext(`${pathname}${search}`);
  const query = new URLSearchParams();
  // The form was opened with a session. The sign-in page says that nothing was changed.
  if (context.request.method === 'POST') query.set('ended', '1');
  if (next !== '/account') query.set('next', next);
  return redirectTo(context, `/account/sign-in${query.size === 0 ? '' : `?${query}`}`);
}

/** A longer query would not fit into the headers of a redirect. */
const maxNextLength = 2_000;

/** Returns where to go after signing in: a page of the panel with its query, else `/account`. */
export function safeNext(text: string | null): string {
  if (text === null || text.length > maxNextLength) return '/account';
  const [, path, search] = /^(\/account(?:\/[\w-]+)*)(\?.*)?$/s.exec(text) ?? [];
  if (path === undefined) return '/account';
  const query = new URLSearchParams(search);
  return query.size === 0 ? path : `${path}?${query}`;
}
