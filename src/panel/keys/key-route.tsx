/** @jsxImportSource preact */
import { hasActivePlan } from '../../core/accounts/account.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { KeyPage } from './key-page.tsx';

/** The account's API key. */
export function keyRoutes({ apiKeys, rateLimit, publicUrl }: PanelDeps): Route[] {
  const show = async (
    context: SignedInContext,
    said: { fresh?: string; done?: string; problem?: string } = {},
  ) => {
    const { account } = context.session;
    return page(
      context,
      { title: 'API key', section: 'key', status: said.problem === undefined ? 200 : 409 },
      <KeyPage
        state={await apiKeys.status(account.id)}
        fresh={said.fresh ?? null}
        publicUrl={publicUrl}
        rateLimit={rateLimit}
        planEnded={!hasActivePlan(account, context.nowMs)}
        nowMs={context.nowMs}
        done={said.done ?? null}
        problem={said.problem ?? null}
      />,
    );
  };

  return [
    {
      method: 'GET',
      path: '/account/key',
      who: 'signed-in',
      answer: (context) =>
        context.url.searchParams.get('done') === 'revoked'
          ? show(context, { done: 'The key is revoked.' })
          : show(context),
    },
    {
      method: 'POST',
      path: '/account/key',
      who: 'signed-in',
      answer: async (context, _params, form) => {
        const { account } = context.session;
        // Reloading the page that shows a key would send the form again and end that very key.
        const present = await apiKeys.status(account.id);
        if (form.text('replaces') !== String(present?.record.createdAtMs ?? ''))
          return show(context, { problem: 'The key has changed since this page was opened.' });
        return show(context, { fresh: await apiKeys.generate(account) });
      },
    },
    {
      method: 'POST',
      path: '/account/key/revoke',
      who: 'signed-in',
      answer: async (context) => {
        await apiKeys.revoke(context.session.account.id);
        return redirectTo(context, '/account/key?done=revoked');
      },
    },
  ];
}
