/** @jsxImportSource preact */
import type { PanelDeps } from '../deps.ts';
import { signInCookies } from '../routing/cookies.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { passwordPath, SettingsPage } from './settings-page.tsx';

/** The account holder's own password and sessions. */
export function settingsRoutes({ signIn }: PanelDeps): Route[] {
  const options = { title: 'Settings', section: 'settings' } as const;
  return [
    {
      method: 'GET',
      path: '/account/settings',
      who: 'signed-in',
      answer: async (context) => {
        const changed = context.url.searchParams.get('done') === 'password';
        const done = changed ? 'The password is changed. Other sessions have ended.' : null;
        const { account } = context.session;
        return page(
          context,
          options,
          <SettingsPage account={account} nowMs={context.nowMs} done={done} />,
        );
      },
    },
    {
      method: 'POST',
      path: passwordPath,
      who: 'signed-in',
      answer: async (context, _params, form) => {
        const { account } = context.session;
        const changed = await signIn.changePassword(
          account,
          form.text('present'),
          form.text('next'),
        );
        if ('session' in changed)
          return redirectTo(
            context,
            '/account/settings?done=password',
            signInCookies(changed, context.secure),
          );
        return page(
          context,
          { ...options, status: 422 },
          <SettingsPage account={account} nowMs={context.nowMs} done={null} refused={changed} />,
        );
      },
    },
  ];
}
