/** @jsxImportSource preact */
import { parseAccountId } from '../../../core/accounts/account.ts';
import type { PanelDeps } from '../../request/deps.ts';
import { audit, type SignedInContext } from '../../request/request.ts';
import { PanelError } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { person, type Route, viewer } from '../../routing/route.ts';
import { accountName, roleNames } from '../../ui/account-menu.tsx';
import { DialogActions, DialogPage } from '../../ui/dialog.tsx';
import { Group, Setting, SettingList } from '../../ui/groups.tsx';
import { ButtonLink, PostButton, useRequest } from '../../ui/page-context.tsx';

const leavePath = '/account/settings/leave';

/** Creates the routes with which a person goes to another account, or leaves the entered one for good. */
export function enterRoutes({ sessions, people }: PanelDeps): Route[] {
  return [
    person.post('/account/enter', async (context, form) => {
      const id = parseAccountId(form.text('enter'));
      if (id === null || !(await sessions.enter(context.sessionToken, id)))
        throw new PanelError(
          403,
          'You can’t enter this account',
          'Its owner has removed you, or it is deleted. You are where you were.',
        );
      return redirectTo(context, '/account');
    }),
    viewer.get(leavePath, async (context) =>
      page(context, 'Leave the account', <LeaveDialog context={context} />),
    ),
    viewer.post(leavePath, async (context) => {
      const { session, sessionToken } = context;
      const name = accountName(session.entered);
      if (!(await people.remove(context.acting, session.person.id)))
        throw new PanelError(
          422,
          'This is your own account',
          'Nobody leaves the own account. Delete it in the settings.',
        );
      audit(context, 'account left');
      await sessions.enter(sessionToken, session.person.id);
      return redirectTo(context, '/account', { kind: 'accountLeft', name });
    }),
  ];
}

function LeaveDialog({ context }: { context: SignedInContext }) {
  const { entered } = context.session;
  return (
    <DialogPage title={`Leave ${accountName(entered)}?`}>
      <p>
        You can’t enter the account of <bdi>{entered.email}</bdi> any more, until its owner invites
        you again. What you changed in it stays.
      </p>
      <DialogActions back="/account/settings">
        <PostButton to={leavePath} class="button destroy">
          Leave
        </PostButton>
      </DialogActions>
    </DialogPage>
  );
}

/** Renders the part of the settings about the entered account of somebody else. */
export function EnteredGroup() {
  const { session } = useRequest();
  if (session === null || session.role === 'owner') return null;
  const { entered, role } = session;
  return (
    <Group title="Where you work" text="The account of somebody else, which you have entered.">
      <SettingList>
        <Setting
          name={<bdi>{accountName(entered)}</bdi>}
          text={
            <>
              {roleNames[role]} in the account of <bdi>{entered.email}</bdi>. Its time zone, texts
              for visitors and API key are its owner’s. Yours are in your own account, to which the
              account menu leads.
            </>
          }
        >
          <ButtonLink to={leavePath} class="button small" data-dialog>
            Leave…
          </ButtonLink>
        </Setting>
      </SettingList>
    </Group>
  );
}
