/** @jsxImportSource preact */
import { parseAccountId } from '../../../core/accounts/account.ts';
import type { PanelDeps } from '../../request/deps.ts';
import { audit, type SignedInContext } from '../../request/request.ts';
import { PanelError } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { person, type Route, viewer } from '../../routing/route.ts';
import { accountName } from '../../ui/account-menu.tsx';
import { DialogActions, DialogPage } from '../../ui/dialog.tsx';
import { Group, Setting, SettingList } from '../../ui/groups.tsx';
import { ButtonLink, PostButton, useRequest, useTexts } from '../../ui/page-context.tsx';

const leavePath = '/account/settings/leave';

/** Creates the routes with which a person goes to another account, or leaves the entered one for good. */
export function enterRoutes({ sessions, people }: PanelDeps): Route[] {
  return [
    person.post('/account/enter', async (context, form) => {
      const id = parseAccountId(form.text('enter'));
      if (id === null || !(await sessions.enter(context.sessionToken, id)))
        throw new PanelError(
          403,
          (t) => t.enter.cannot,
          (t) => t.enter.cannotWhy,
        );
      return redirectTo(context, '/account');
    }),
    viewer.get(leavePath, async (context) =>
      page(context, context.texts.enter.leaveTitle, <LeaveDialog context={context} />),
    ),
    viewer.post(leavePath, async (context) => {
      const { session, sessionToken } = context;
      const name = accountName(session.entered);
      if (!(await people.remove(context.acting, session.person.id)))
        throw new PanelError(
          422,
          (t) => t.enter.ownAccount,
          (t) => t.enter.ownAccountWhy,
        );
      audit(context, 'account left');
      await sessions.enter(sessionToken, session.person.id);
      return redirectTo(context, '/account', { kind: 'accountLeft', name });
    }),
  ];
}

function LeaveDialog({ context }: { context: SignedInContext }) {
  const { entered } = context.session;
  const t = useTexts();
  return (
    <DialogPage title={t.enter.leaveQuestion({ account: accountName(entered) })}>
      <p>{t.enter.leaving({ account: <bdi>{entered.email}</bdi> })}</p>
      <DialogActions back="/account/settings">
        <PostButton to={leavePath} class="button destroy">
          {t.enter.leave}
        </PostButton>
      </DialogActions>
    </DialogPage>
  );
}

/** Renders the part of the settings about the entered account of somebody else. */
export function EnteredGroup() {
  const { session } = useRequest();
  const t = useTexts();
  if (session === null || session.role === 'owner') return null;
  const { entered, role } = session;
  return (
    <Group title={t.enter.whereYouWork} text={t.enter.ofSomebodyElse}>
      <SettingList>
        <Setting
          name={<bdi>{accountName(entered)}</bdi>}
          text={t.enter.whatIsOwners({ role, account: <bdi>{entered.email}</bdi> })}
        >
          <ButtonLink to={leavePath} class="button small" data-dialog>
            {t.enter.leaveMenu}
          </ButtonLink>
        </Setting>
      </SettingList>
    </Group>
  );
}
