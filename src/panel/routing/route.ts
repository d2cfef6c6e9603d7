import { requireActivePlan } from '../../core/accounts/account.ts';
import type { Sessions } from '../../core/accounts/session.ts';
import { isSameText } from '../request/messages.ts';
import { ownPath } from '../request/own-path.ts';
import {
  type FormFields,
  isSignedIn,
  type RequestContext,
  requireSignedIn,
  type SignedInContext,
} from '../request/request.ts';
import {
  type FormDescription,
  InvalidForm,
  readValues,
  rejectedForm,
  toInvalidForm,
  type Values,
} from '../ui/form.tsx';
import { errorResponse, ofOtherAccount, outOfDate, PanelError, pageNotFound } from './errors.tsx';
import type { Jobs } from './jobs.tsx';
import { readBody } from './read-body.ts';
import { type PageResponse, redirectTo } from './responses.tsx';

/** A route of the panel. Every change is a POST, whose form is checked before the handler runs. */
export type Route = {
  readonly path: string;
  /** Who may use the route. Checked before the handler runs. */
  readonly audience: 'anyone' | 'signed-in' | 'operator';
} & (
  | { readonly method: 'GET'; respond(context: RequestContext): Promise<Response> }
  | ({
      readonly method: 'POST';
      respond(context: RequestContext, form: FormFields): Promise<Response>;
    } & PostOptions)
);

interface PostOptions {
  /** Maximum size of a form of an account; see `readBody` when left out. */
  readonly maxBytes?: number;
  /** Whether it is refused while the plan of the account is expired. */
  readonly needsPlan?: boolean;
  /** Names an action that may take minutes, for the page that waits for it. */
  readonly waitsFor?: string;
}

interface SubmitOptions<Context, F extends FormDescription> extends PostOptions {
  readonly form: F | ((context: Context, typed: FormFields) => Promise<F>);
  /** Renders the page of the form, which shows it again if it is rejected. */
  readonly page: (context: Context, typed: FormFields) => Promise<PageResponse>;
  /** Completes what was typed before it is read, such as by defaults. */
  readonly complete?: (typed: FormFields) => FormFields;
}

function routesFor<Context extends RequestContext>(
  audience: Route['audience'],
  narrow: (context: RequestContext) => Context,
) {
  const post = (
    path: string,
    handle: (context: Context, form: FormFields) => Promise<Response>,
    options: PostOptions = {},
  ): Route => ({
    ...options,
    method: 'POST',
    path,
    audience,
    respond: (context, form) => handle(narrow(context), form),
  });
  return {
    get: (path: string, handle: (context: Context) => Promise<Response>): Route => ({
      method: 'GET',
      path,
      audience,
      respond: (context) => handle(narrow(context)),
    }),
    post,
    /** A form whose page shows it again, as typed, if it or its values are rejected. */
    submit: <F extends FormDescription>(
      path: string,
      { form, page, complete, ...options }: SubmitOptions<Context, F>,
      handle: (context: Context, values: Values<F>, typed: FormFields) => Promise<Response>,
    ): Route =>
      post(
        path,
        async (context, sent) => {
          const typed = complete?.(sent) ?? sent;
          const description = typeof form === 'function' ? await form(context, typed) : form;
          try {
            return await handle(context, await readValues(description, typed), typed);
          } catch (error) {
            const { headers, ...reasons } = toInvalidForm(error, description);
            const rejected = rejectedForm(context, typed, reasons);
            const response = await page({ ...context, rejected }, typed);
            // The page has no such form, such as for codes that were selected and are gone.
            if (!response.showsRejection) throw toPanelError(error);
            for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
            return response;
          }
        },
        options,
      ),
  };
}

/** Returns the rejection of a form as an error page. */
function toPanelError(error: unknown): unknown {
  if (!(error instanceof InvalidForm)) return error;
  const texts = Object.values(error.problems).map(({ text }) => text);
  return new PanelError(error.status, 'Nothing was changed', texts.join(' '));
}

/** Routes that need no session. */
export const anyone = routesFor('anyone', (context) => context);
/** Routes for account holders. */
export const signedIn = routesFor<SignedInContext>('signed-in', requireSignedIn);
/** Routes for operators. Other accounts get 404. */
export const operator = routesFor<SignedInContext>('operator', requireSignedIn);

/** What routes need beside their handlers. */
interface RouteDeps {
  readonly sessions: Pick<Sessions, 'find'>;
  readonly jobs: Jobs;
  /** Creates the response to a form without a session: 401, with the form that signs in. */
  signInAgain(context: RequestContext): Promise<Response>;
}

/**
 * Runs a route's handler after checking, in this order, the session, the form's origin, the account that it names and
 * its CSRF token. Without a session, a page redirects to the sign-in page, and a form is answered with it.
 *
 * @throws PanelError 403 for another origin, 404 for an operator route and another account
 */
export async function runRoute(
  route: Route,
  context: RequestContext,
  { sessions, jobs, signInAgain }: RouteDeps,
): Promise<Response> {
  if (!isAllowed(route, context))
    return route.method === 'GET' ? redirectToSignIn(context) : signInAgain(context);
  if (route.method === 'GET') return route.respond(context);

  if (!isSameOrigin(context.request.headers, context.publicUrl))
    throw new PanelError(
      403,
      'This form was sent from another address',
      `Nothing was changed. Open the panel at ${context.publicUrl}/account and try again.`,
    );
  const form = await readBody(context.request, isSignedIn(context), route.maxBytes);
  if (route.audience === 'anyone') return route.respond(context, form);
  // The session may have ended while the body arrived.
  const current = { ...context, session: await sessions.find(context.sessionToken), sent: form };
  if (!isAllowed(route, current)) return signInAgain(current);
  const sender = requireSignedIn(current);
  const { account, csrfToken } = sender.session;
  const named = form.text('account');
  // A page of the version before names none. Its token is of one session, and so of one account.
  if (named !== '' && named !== String(account.id)) throw ofOtherAccount(account.email);
  if (!isSameText(form.text('csrf'), csrfToken)) throw outOfDate();
  const respond = () => route.respond(sender, form);
  try {
    if (route.needsPlan) requireActivePlan(account, sender.nowMs);
    return await (route.waitsFor === undefined
      ? respond()
      : jobs.respond(sender, route.waitsFor, respond));
  } catch (error) {
    return errorResponse(sender, error);
  }
}

/**
 * Returns whether the session may use a route. False means that signing in is required.
 *
 * @throws PanelError 404 for an operator route and another account
 */
function isAllowed({ audience }: Route, context: RequestContext): boolean {
  if (audience === 'anyone') return true;
  if (!isSignedIn(context)) return false;
  if (audience === 'operator' && !context.session?.account.isOperator) throw pageNotFound();
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

function redirectToSignIn(context: RequestContext): Response {
  const { pathname, search } = context.url;
  const next = ownPath(`${pathname}${search}`);
  const query = next === '/account' ? '' : `?${new URLSearchParams({ next })}`;
  return redirectTo(context, `/account/sign-in${query}`);
}
