import { Elysia, NotFoundError } from 'elysia';
import type { Logger } from '../lib/logger.ts';
import { accountRoutes } from './accounts/accounts-route.tsx';
import { assetAt } from './client/assets.ts';
import { codeRoutes } from './codes/codes-route.tsx';
import type { PanelDeps } from './deps.ts';
import { designRoutes } from './designs/design-route.tsx';
import { keyRoutes } from './keys/key-route.tsx';
import { isOwnForm, isSameToken, safeNext } from './routing/csrf.ts';
import { errorResponse, plainErrorResponse } from './routing/error-page.tsx';
import { PanelError, pageNotFound } from './routing/errors.ts';
import { pagesForForms } from './routing/form-pages.ts';
import { readForm } from './routing/forms.ts';
import { createRequestContext, isSignedIn, type RequestContext } from './routing/request.ts';
import { redirectTo } from './routing/responses.tsx';
import type { Route } from './routing/router.ts';
import { withSecurityHeaders } from './routing/security-headers.ts';
import { safetyRoutes } from './safety/safety-route.tsx';
import { settingsRoutes } from './settings/settings-route.tsx';
import { signedOut, signInRoutes, signOutPath } from './sign-in/sign-in-route.tsx';

/** Everything under `/account`. */
export interface Panel {
  /**
   * Answers a request; never rejects.
   *
   * @param peer address at the other end of the connection
   * @param log says of each line which request it belongs to
   */
  fetch(request: Request, peer: string, log: Logger): Promise<Response>;
  /** Every route, with who may take it. */
  readonly routes: readonly Route[];
}

type Params = Readonly<Record<string, string>>;

/** The account panel. */
export function createPanel(deps: PanelDeps): Panel {
  const ownRoutes = [
    ...signInRoutes(deps),
    ...codeRoutes(deps),
    ...designRoutes(deps),
    ...keyRoutes(deps),
    ...settingsRoutes(deps),
    ...accountRoutes(deps),
    ...safetyRoutes(deps),
  ];
  const routes = [...ownRoutes, ...pagesForForms(ownRoutes)];
  const contexts = new WeakMap<Request, RequestContext>();
  const seen = (request: Request) => {
    const context = contexts.get(request);
    if (context === undefined) throw new Error('a request reached the router unseen');
    return context;
  };
  const router = new Elysia({ strictPath: true, normalize: false }).onError(({ error, request }) =>
    errorResponse(seen(request), error instanceof NotFoundError ? pageNotFound() : error),
  );
  for (const route of routes)
    router.route(route.method, route.path, ({ request, params }) =>
      take(route, seen(request), params, deps),
    );

  return {
    routes,
    fetch: async (request, peer, log) => {
      try {
        const asset = assetAt(new URL(request.url).pathname);
        if (asset !== null) return withSecurityHeaders(asset);
        contexts.set(request, await createRequestContext(request, peer, log, deps));
        return withSecurityHeaders(await router.fetch(request));
      } catch (error) {
        return withSecurityHeaders(plainErrorResponse(error, log));
      }
    },
  };
}

/** Lets a visitor take a route: who it is, then where the form came from, then the route itself. */
async function take(
  route: Route,
  context: RequestContext,
  params: Params,
  { sessions }: Pick<PanelDeps, 'sessions'>,
): Promise<Response> {
  if (!mayTake(route, context)) return toSignIn(context);
  if (route.method === 'GET')
    return route.who === 'anyone'
      ? route.answer(context, params)
      : route.answer(requireSignedIn(context), params);

  if (!isOwnForm(context.request.headers, context.publicUrl)) throw foreignForm(context.publicUrl);
  const form = await readForm(context.request, isSignedIn(context) ? 'signed-in' : 'anonymous');
  if (route.who === 'anyone') return route.answer(context, params, form);
  // A form arrives as slowly as its sender likes, and the session may have ended meanwhile.
  const present = { ...context, session: await sessions.find(context.sessionToken) };
  if (!mayTake(route, present)) return toSignIn(present);
  const holder = requireSignedIn(present);
  if (!isSameToken(form.text('csrf'), holder.session.csrfToken)) throw staleForm();
  return route.answer(holder, params, form);
}

/**
 * Whether a visitor is who a route is for; if not, they have to sign in.
 *
 * @throws PanelError 404 when it is for operators, of which nobody else may know
 */
function mayTake(route: Route, context: RequestContext): boolean {
  if (route.who === 'anyone') return true;
  if (!isSignedIn(context)) return false;
  if (route.who === 'operator' && !context.session.account.isOperator) throw pageNotFound();
  return true;
}

function requireSignedIn(context: RequestContext) {
  if (!isSignedIn(context)) throw new Error('a route for holders was reached by someone else');
  return context;
}

function toSignIn(context: RequestContext): Response {
  const { pathname, search } = context.url;
  const next = safeNext(`${pathname}${search}`);
  const isForm = context.request.method === 'POST';
  // Whoever signs out too late is out as well; another site may not end a session that it cannot see.
  if (isForm && pathname === signOutPath && isOwnForm(context.request.headers, context.publicUrl))
    return signedOut(context);
  const query = new URLSearchParams();
  // Whoever sent a form was signed in when it was opened, and has to know that it came to nothing.
  if (isForm) query.set('ended', '1');
  if (next !== '/account') query.set('next', next);
  return redirectTo(context, `/account/sign-in${query.size === 0 ? '' : `?${query}`}`);
}

/** Of another site, or of ours where it was opened by another name, such as the machine's own address. */
function foreignForm(publicUrl: string): PanelError {
  return new PanelError(
    403,
    'This form comes from elsewhere',
    `Nothing was changed. Open the panel at ${publicUrl}/account and send it from there.`,
  );
}

function staleForm(): PanelError {
  return new PanelError(
    403,
    'This form is out of date',
    'Nothing was changed. Go back, reload the page and send it again.',
  );
}
