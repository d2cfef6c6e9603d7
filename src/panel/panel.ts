import { Elysia, NotFoundError } from 'elysia';
import type { Logger } from '../lib/logger.ts';
import { accountRoutes } from './accounts/accounts-route.tsx';
import { assetAt } from './client/assets.ts';
import { codeRoutes } from './codes/codes-route.tsx';
import type { PanelDeps } from './deps.ts';
import { designRoutes } from './designs/design-route.tsx';
import { keyRoutes } from './keys/key-route.tsx';
import { isOwnForm, isSameToken, safeNext } from './routing/csrf.ts';
import { explain, explainToNobody } from './routing/error-page.tsx';
import { noSuchPage, PanelRefused } from './routing/errors.ts';
import { formPages } from './routing/form-pages.ts';
import { readForm } from './routing/forms.ts';
import { isHolder, type Visit, visitOf } from './routing/request.ts';
import { goTo } from './routing/responses.tsx';
import type { Route } from './routing/router.ts';
import { secured } from './routing/security-headers.ts';
import { safetyRoutes } from './safety/safety-route.tsx';
import { settingsRoutes } from './settings/settings-route.tsx';
import { goodbye, signInRoutes, signOutPath } from './sign-in/sign-in-route.tsx';

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
  const routes = [...ownRoutes, ...formPages(ownRoutes)];
  const visits = new WeakMap<Request, Visit>();
  const seen = (request: Request) => {
    const visit = visits.get(request);
    if (visit === undefined) throw new Error('a request reached the router unseen');
    return visit;
  };
  const router = new Elysia({ strictPath: true, normalize: false }).onError(({ error, request }) =>
    explain(seen(request), error instanceof NotFoundError ? noSuchPage() : error),
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
        if (asset !== null) return secured(asset);
        visits.set(request, await visitOf(request, peer, log, deps));
        return secured(await router.fetch(request));
      } catch (error) {
        return secured(explainToNobody(error, log));
      }
    },
  };
}

/** Lets a visitor take a route: who it is, then where the form came from, then the route itself. */
async function take(
  route: Route,
  visit: Visit,
  params: Params,
  { sessions }: Pick<PanelDeps, 'sessions'>,
): Promise<Response> {
  if (!mayTake(route, visit)) return toSignIn(visit);
  if (route.method === 'GET')
    return route.who === 'anyone'
      ? route.answer(visit, params)
      : route.answer(signedIn(visit), params);

  if (!isOwnForm(visit.request.headers, visit.publicUrl)) throw foreignForm(visit.publicUrl);
  const form = await readForm(visit.request, isHolder(visit) ? 'holder' : 'stranger');
  if (route.who === 'anyone') return route.answer(visit, params, form);
  // A form arrives as slowly as its sender likes, and the session may have ended meanwhile.
  const present = { ...visit, session: await sessions.find(visit.sessionToken) };
  if (!mayTake(route, present)) return toSignIn(present);
  const holder = signedIn(present);
  if (!isSameToken(form.text('csrf'), holder.session.csrfToken)) throw staleForm();
  return route.answer(holder, params, form);
}

/**
 * Whether a visitor is who a route is for; if not, they have to sign in.
 *
 * @throws PanelRefused 404 when it is for operators, of which nobody else may know
 */
function mayTake(route: Route, visit: Visit): boolean {
  if (route.who === 'anyone') return true;
  if (!isHolder(visit)) return false;
  if (route.who === 'operator' && !visit.session.account.isOperator) throw noSuchPage();
  return true;
}

function signedIn(visit: Visit) {
  if (!isHolder(visit)) throw new Error('a route for holders was reached by someone else');
  return visit;
}

function toSignIn(visit: Visit): Response {
  const { pathname, search } = visit.url;
  const next = safeNext(`${pathname}${search}`);
  const isForm = visit.request.method === 'POST';
  // Whoever signs out too late is out as well; another site may not end a session that it cannot see.
  if (isForm && pathname === signOutPath && isOwnForm(visit.request.headers, visit.publicUrl))
    return goodbye(visit);
  const query = new URLSearchParams();
  // Whoever sent a form was signed in when it was opened, and has to know that it came to nothing.
  if (isForm) query.set('ended', '1');
  if (next !== '/account') query.set('next', next);
  return goTo(visit, `/account/sign-in${query.size === 0 ? '' : `?${query}`}`);
}

/** Of another site, or of ours where it was opened by another name, such as the machine's own address. */
function foreignForm(publicUrl: string): PanelRefused {
  return new PanelRefused(
    403,
    'This form comes from elsewhere',
    `Nothing was changed. Open the panel at ${publicUrl}/account and send it from there.`,
  );
}

function staleForm(): PanelRefused {
  return new PanelRefused(
    403,
    'This form is out of date',
    'Nothing was changed. Go back, reload the page and send it again.',
  );
}
