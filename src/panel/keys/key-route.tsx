/** @jsxImportSource preact */
import { hasActivePlan } from '../../core/accounts/account.ts';
import type { PanelDeps } from '../deps.ts';
import type { HolderVisit } from '../routing/request.ts';
import { goTo, page } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { KeyPage } from './key-page.tsx';

/** The account's API key. */
export function keyRoutes({ apiKeys, rateLimit, publicUrl }: PanelDeps): Route[] {
  const show = async (
    visit: HolderVisit,
    said: { fresh?: string; done?: string; problem?: string } = {},
  ) => {
    const { account } = visit.session;
    return page(
      visit,
      { title: 'API key', section: 'key', status: said.problem === undefined ? 200 : 409 },
      <KeyPage
        state={await apiKeys.status(account.id)}
        fresh={said.fresh ?? null}
        publicUrl={publicUrl}
        rateLimit={rateLimit}
        planEnded={!hasActivePlan(account, visit.nowMs)}
        nowMs={visit.nowMs}
        done={said.done ?? null}
        problem={said.problem ?? null}
      />,
    );
  };

  return [
    {
      method: 'GET',
      path: '/account/key',
      who: 'holder',
      answer: (visit) =>
        visit.url.searchParams.get('done') === 'revoked'
          ? show(visit, { done: 'The key is revoked.' })
          : show(visit),
    },
    {
      method: 'POST',
      path: '/account/key',
      who: 'holder',
      answer: async (visit, _params, form) => {
        const { account } = visit.session;
        // Reloading the page that shows a key would send the form again and end that very key.
        const present = await apiKeys.status(account.id);
        if (form.text('replaces') !== String(present?.record.createdAtMs ?? ''))
          return show(visit, { problem: 'The key has changed since this page was opened.' });
        return show(visit, { fresh: await apiKeys.generate(account) });
      },
    },
    {
      method: 'POST',
      path: '/account/key/revoke',
      who: 'holder',
      answer: async (visit) => {
        await apiKeys.revoke(visit.session.account.id);
        return goTo(visit, '/account/key?done=revoked');
      },
    },
  ];
}
