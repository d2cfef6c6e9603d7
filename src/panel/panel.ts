import { Elysia, NotFoundError } from 'elysia';
import { strangerIn } from '../core/accounts/password/password.ts';
import { createFairQueue, type FairQueue, requesterOf } from '../core/fair-queue.ts';
import { pause } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import { accountRoutes } from './accounts/account.tsx';
import { accountsRoutes } from './accounts/accounts.tsx';
import { confirmRoutes, showConfirm } from './accounts/confirm.tsx';
import { deleteRoutes } from './accounts/delete.tsx';
import { languageRoutes } from './accounts/language.tsx';
import { linkRoutes } from './accounts/link.tsx';
import { overviewRoutes } from './accounts/overview/overview.tsx';
import { enterRoutes } from './accounts/people/enter.tsx';
import { joinRoutes } from './accounts/people/join.tsx';
import { peopleRoutes } from './accounts/people/people.tsx';
import { providerRoutes } from './accounts/provider/provider.tsx';
import { showSignInAgain, signInRoutes } from './accounts/sign-in.tsx';
import { codeRoutes } from './codes/code.tsx';
import { codesRoutes } from './codes/codes.tsx';
import { compareRoutes } from './codes/compare/compare.tsx';
import { foldersRoutes } from './codes/folders/folders.tsx';
import { scheduleRoutes } from './codes/schedule/schedule.tsx';
import { designRoutes } from './designs/design.tsx';
import { domainRoutes } from './domains/domain.tsx';
import { domainsRoutes } from './domains/domains.tsx';
import { findRoutes } from './find/find.tsx';
import { printRoutes } from './print/print.tsx';
import type { PanelDeps } from './request/deps.ts';
import { createRequestContext, type RequestContext } from './request/request.ts';
import { errorResponse, pageNotFound, writesRejected } from './routing/errors.tsx';
import { redirectTo, withSecurityHeaders } from './routing/responses.tsx';
import { anyone, createRoleNeeds, type Route, runRoute } from './routing/route.ts';
import { safetyRoutes } from './safety/safety.tsx';
import { bulkEditRoutes } from './selection/bulk-edit.tsx';
import { bulkEditPageRoutes } from './selection/bulk-edit-page.tsx';
import { selectedRoutes } from './selection/selected.tsx';
import { activityRoutes } from './settings/activity.tsx';
import { keyRoutes } from './settings/key.tsx';
import { secondFactorRoutes } from './settings/second-factor.tsx';
import { sessionRoutes } from './settings/sessions.tsx';
import { settingsRoutes } from './settings/settings.tsx';
import { batchRoutes } from './tables/batch.tsx';
import { batchesRoutes } from './tables/batches.tsx';
import { columnsRoutes } from './tables/columns.tsx';
import { draftRoutes } from './tables/draft.tsx';
import { assetAt } from './ui/assets.ts';

/** Everything under `/account`. */
export interface Panel {
  /**
   * Handles a request. Rejects only when the session cannot be read.
   *
   * @param peer IP address of the connection's other end
   */
  fetch(request: Request, peer: string, log: Logger): Promise<Response>;
  /** All routes, with what they need. */
  readonly routes: readonly Route[];
}

/**
 * How long the response to a request that has to wait is delayed.
 * A client that tries again at once would take the event loop from other accounts and the API.
 */
const refusalMs = 1000;

/**
 * How long a request keeps others from beginning, at most.
 * Most are answered by then; one that waits for a picture, a password or a search is in the turns of those.
 */
const turnMs = 2;

/**
 * Creates the queue in which requests begin, one at a time.
 * Without it, everybody else would wait for all pages that one account asks for at once: the other accounts, and
 * programs that call the API.
 */
export function createPanelTurns(): FairQueue {
  const bounds = { slots: 1, slotsPerOwner: 1, maxWaiting: 2048, maxWaitingPerOwner: 256 };
  return createFairQueue({ ...bounds, yieldMs: turnMs });
}

/** Creates the account panel. */
export function createPanel(deps: PanelDeps): Panel {
  const respondInTurn = async ({ request, session, network }: RequestContext) => {
    const { signal } = request;
    const requester = session
      ? requesterOf(session.person.id, { signal })
      : strangerIn(network, signal);
    const { response } = await deps.turns.run(requester, async () => {
      const response = router.fetch(request);
      await Promise.race([response, pause(turnMs)]);
      return { response };
    });
    return response;
  };
  const ownRoutes = [
    ...signInRoutes(deps),
    ...linkRoutes(deps),
    ...confirmRoutes(deps),
    ...providerRoutes(deps),
    ...overviewRoutes(deps),
    ...codesRoutes(deps),
    ...foldersRoutes(deps),
    ...findRoutes(deps),
    ...compareRoutes(deps),
    ...codeRoutes(deps),
    ...scheduleRoutes(deps),
    ...batchesRoutes(deps),
    ...batchRoutes(deps),
    ...columnsRoutes(deps),
    ...draftRoutes(deps),
    ...selectedRoutes(deps),
    ...bulkEditRoutes(deps),
    ...bulkEditPageRoutes(deps),
    ...printRoutes(deps),
    ...designRoutes(deps),
    ...keyRoutes(deps),
    ...settingsRoutes(deps),
    ...activityRoutes(deps),
    ...sessionRoutes(deps),
    ...secondFactorRoutes(deps),
    ...accountsRoutes(deps),
    ...accountRoutes(deps),
    ...deleteRoutes(deps),
    ...enterRoutes(deps),
    ...joinRoutes(deps),
    ...languageRoutes(deps),
    ...peopleRoutes(deps),
    ...domainsRoutes(deps),
    ...domainRoutes(deps),
    ...safetyRoutes(deps),
  ];
  const routes = [...ownRoutes, ...parentRedirects(ownRoutes)];
  const roleNeeds = createRoleNeeds(routes);
  // Created before the router runs, because the error page needs the session too.
  const contexts = new WeakMap<Request, RequestContext>();
  const contextOf = (request: Request) => {
    const context = contexts.get(request);
    if (context === undefined) throw new Error('a request reached the router without a context');
    return context;
  };
  const router = new Elysia({ strictPath: true, normalize: false }).onError(({ error, request }) =>
    errorResponse(contextOf(request), error instanceof NotFoundError ? pageNotFound() : error),
  );
  for (const route of routes)
    router.route(route.method, route.path, ({ request, params }) =>
      runRoute(
        route,
        { ...contextOf(request), params },
        {
          sessions: deps.sessions,
          signInAgain: (context) => showSignInAgain(context, deps),
          confirm: (context) => showConfirm(context, deps),
        },
      ),
    );

  return {
    routes,
    fetch: async (request, peer, log) => {
      const asset = assetAt(new URL(request.url).pathname);
      if (asset !== null) return withSecurityHeaders(asset);
      const context = await createRequestContext(request, peer, log, deps, roleNeeds);
      contexts.set(request, context);
      const isRejected = request.method === 'POST' && deps.rejectsWrites();
      const response = isRejected
        ? errorResponse(context, writesRejected())
        : await respondInTurn(context).catch((error: unknown) => errorResponse(context, error));
      if (response.status === 429 || response.status === 503) await pause(refusalMs);
      return withSecurityHeaders(response);
    },
  };
}

/**
 * Creates a GET route for every path that only accepts forms, redirecting to the nearest page
 * above, such as after reloading a rejected form or signing in again.
 */
function parentRedirects(routes: readonly Route[]): Route[] {
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return routes
    .filter(({ path }) => !pages.has(path))
    .map(({ path }) => {
      const segments = path.split('/');
      while (!pages.has(segments.join('/'))) segments.pop();
      return anyone.get(path, async (context) => {
        const { pathname, search } = context.url;
        const page = pathname.split('/').slice(0, segments.length).join('/');
        return redirectTo(context, `${page}${search}`);
      });
    });
}
