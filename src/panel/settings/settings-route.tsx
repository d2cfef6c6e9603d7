/** @jsxImportSource preact */
import type { PanelDeps } from '../deps.ts';
import { signInCookies } from '../routing/cookies.ts';
import { goTo, page } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { passwordPath, SettingsPage } from './settings-page.tsx';

/** The account holder's own password and sessions. */
export function settingsRoutes({ signIn }: PanelDeps): Route[] {
  const options = { title: 'Settings', section: 'settings' } as const;
  return [
    {
      method: 'GET',
      path: '/account/settings',
      who: 'holder',
      answer: async (visit) => {
        const changed = visit.url.searchParams.get('done') === 'password';
        const done = changed ? 'The password is changed. Other sessions have ended.' : null;
        const { account } = visit.session;
        return page(
          visit,
          options,
          <SettingsPage account={account} nowMs={visit.nowMs} done={done} />,
        );
      },
    },
    {
      method: 'POST',
      path: passwordPath,
      who: 'holder',
      answer: async (visit, _params, form) => {
        const { account } = visit.session;
        const changed = await signIn.changePassword(
          account,
          form.text('present'),
          form.text('next'),
        );
        if ('session' in changed)
          return goTo(
            visit,
            '/account/settings?done=password',
            signInCookies(changed, visit.secure),
          );
        return page(
          visit,
          { ...options, status: 422 },
          <SettingsPage account={account} nowMs={visit.nowMs} done={null} refused={changed} />,
        );
      },
    },
  ];
}
