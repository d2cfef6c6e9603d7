import { requireActivePlan } from '../../core/accounts/account.ts';
import { includesRole, type Role, roles } from '../../core/accounts/people/role.ts';
import { csrfTokenOf, type Session, type Sessions } from '../../core/accounts/session.ts';
import { type Said, say } from '../../languages/texts.ts';
import { isSameText } from '../request/messages.ts';
import { ownPath } from '../request/own-path.ts';
import {
  type FormFields,
  isSignedIn,
  type PersonContext,
  type RequestContext,
  type RoleNeeds,
  requirePerson,
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
import {
  errorResponse,
  ofOtherAccount,
  outOfDate,
  PanelError,
  pageNotFound,
  roleTooLow,
} from './errors.tsx';
import { readBody } from './read-body.ts';
import { type PageResponse, redirectTo } from './responses.tsx';

/**
 * What a route needs.
 * A role: at least this one, in the entered account. `person`: a session; the route is about who is signed in, in
 * whatever account. `operator`: the person is one.
 */
export type Needs = 'anyone' | 'person' | 'operator' | Role;

/** A route of the panel. Every change is a POST, whose form is checked before the handler runs. */
export type Route = {
  readonly path: string;
  /** Checked before the handler runs, here and nowhere else. */
  readonly needs: Needs;
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
  /**
   * Whether the session must be confirmed: what a thief of a session must not do.
   * `without password`: only if the person has none, because the form asks for the password.
   */
  readonly needsConfirmation?: boolean | 'without password';
}

interface SubmitOptions<Context, F extends FormDescription> extends PostOptions {
  readonly form: F | ((context: Context, typed: FormFields) => Promise<F>);
  /** Renders the page of the form, which shows it again if it is rejected. */
  readonly page: (context: Context, typed: FormFields) => Promise<PageResponse>;
  /** Completes what was typed before it is read, such as by defaults. */
  readonly complete?: (typed: FormFields) => FormFields;
}

function routesFor<Context extends RequestContext>(
  needs: Needs,
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
    needs,
    respond: (context, form) => handle(narrow(context), form),
  });
  return {
    get: (path: string, handle: (context: Context) => Promise<Response>): Route => ({
      method: 'GET',
      path,
      needs,
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
  const all: Said = (t) => texts.map((text) => say(text, t)).join(' ');
  return new PanelError(error.status, (t) => t.errors.nothingChanged, all);
}

/** Routes that need no session. */
export const anyone = routesFor('anyone', (context) => context);
/** Routes about who is signed in. They have no account. */
export const person = routesFor<PersonContext>('person', requirePerson);
/** Routes of an account that change nothing of it. */
export const viewer = routesFor<SignedInContext>('viewer', requireSignedIn);
/** Routes that change codes, designs, tables and plans of an account. */
export const editor = routesFor<SignedInContext>('editor', requireSignedIn);
/** Routes for an account itself: people, key, texts, time zone, deletion. */
export const owner = routesFor<SignedInContext>('owner', requireSignedIn);
/** Routes for operators. Others get 404. They are about no entered account. */
export const operator = routesFor<PersonContext>('operator', requirePerson);

/** Creates the look-up of what routes need, for pages: they leave out what the person may not use. */
export function createRoleNeeds(routes: readonly Route[]): RoleNeeds {
  const bySize = Map.groupBy(
    routes.map((route) => ({ ...route, parts: route.path.split('/') })),
    ({ method, parts }) => `${method} ${parts.length}`,
  );
  return (method, path) => {
    const parts = path.replace(/[?#].*/, '').split('/');
    const found = (bySize.get(`${method} ${parts.length}`) ?? []).find((route) =>
      route.parts.every((part, at) => part.startsWith(':') || part === parts[at]),
    );
    return roles.find((role) => role === found?.needs) ?? null;
  };
}

/** What routes need beside their handlers. */
interface RouteDeps {
  readonly sessions: Pick<Sessions, 'find'>;
  /** Creates the response to a form without a session: 401, with the form that signs in. */
  signInAgain(context: RequestContext): Promise<Response>;
  /** Creates the response to a form whose session is not confirmed: 401, with the form that confirms it. */
  confirm(context: PersonContext): Promise<Response>;
}

/**
 * Runs a route's handler after all checks of its request.
 * In this order: the session, what the route needs, the form's origin, the account that it names, its CSRF token, and
 * whether the session is confirmed. Without a session, a page redirects to the sign-in page, and a form is answered
 * with it.
 *
 * @throws PanelError 403 for another origin and a role that is too low, 404 for an operator route and somebody else
 */
export async function runRoute(
  route: Route,
  context: RequestContext,
  { sessions, signInAgain, confirm }: RouteDeps,
): Promise<Response> {
  if (!isAllowed(route, context))
    return route.method === 'GET' ? redirectToSignIn(context) : signInAgain(context);
  if (route.method === 'GET') return route.respond(context);

  if (!isSameOrigin(context.request.headers, context.publicUrl))
    throw new PanelError(
      403,
      (t) => t.errors.sentFromElsewhere,
      (t) => t.errors.sentFromElsewhereWhy({ address: `${context.publicUrl}/account` }),
    );
  const form = await readBody(context.request, isSignedIn(context), route.maxBytes);
  if (route.needs === 'anyone') return route.respond(context, form);
  // The session or the role may have ended while the body arrived.
  const current = { ...context, session: await sessions.find(context.sessionToken), sent: form };
  if (!isAllowed(route, current)) return signInAgain(current);
  const sender = requirePerson(current);
  checkSender(route, sender, form);
  if (needsConfirmation(route, sender.session)) return confirm(sender);
  try {
    if (route.needsPlan) requireActivePlan(sender.session.entered, sender.nowMs);
    return await route.respond(sender, form);
  } catch (error) {
    return errorResponse(sender, error);
  }
}

/**
 * Returns whether the session may use a route. False means that signing in is required.
 *
 * @throws PanelError 404 for an operator route and somebody else, 403 for a role that is too low
 */
function isAllowed({ needs }: Route, context: RequestContext): boolean {
  if (needs === 'anyone') return true;
  if (!isSignedIn(context)) return false;
  const { session } = requirePerson(context);
  if (needs === 'person') return true;
  if (needs === 'operator' && !session.person.isOperator) throw pageNotFound();
  if (needs !== 'operator') requireRole({ session }, needs);
  return true;
}

/** Returns whether a session must be confirmed before it uses a route. */
function needsConfirmation(
  { needsConfirmation }: PostOptions,
  { isConfirmed, hasPassword }: Session,
): boolean {
  if (needsConfirmation === undefined || isConfirmed) return false;
  return needsConfirmation === 'without password' ? !hasPassword : needsConfirmation;
}

/**
 * Requires a role of a request that does more than its route needs.
 *
 * @throws PanelError 403
 */
export function requireRole({ session }: Pick<PersonContext, 'session'>, needed: Role): void {
  if (!includesRole(session.role, needed)) throw roleTooLow(needed, session);
}

/**
 * Checks that a form was sent from a page of this session.
 * One that is about an account is of the entered one: another tab may have entered another.
 *
 * @throws PanelError 403
 */
function checkSender({ needs }: Route, context: PersonContext, form: FormFields): void {
  const { sessionToken, accounts } = context;
  const { person, entered } = context.session;
  const named = form.text('account') || String(entered.id);
  const isEntered = named === String(entered.id);
  const token = csrfTokenOf(sessionToken, person.id, Number(named));
  const isOfSession = isSameText(form.text('csrf'), token);
  const isAboutAccount = needs !== 'person' && needs !== 'operator';
  if (!isEntered && (isAboutAccount || !isOfSession)) {
    const own = { account: person };
    const other = [own, ...accounts].find(({ account }) => String(account.id) === named);
    throw ofOtherAccount(context.session, isOfSession ? (other?.account ?? null) : null);
  }
  if (!isOfSession) throw outOfDate();
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
