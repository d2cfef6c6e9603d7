/** @jsxImportSource preact */

import { activityDays } from '../../core/accounts/activity/activity.ts';
import { changeEmail } from '../../core/accounts/change-email.ts';
import { parseNewEmail } from '../../core/accounts/email.ts';
import type { StoredIdentity } from '../../core/accounts/ports.ts';
import type { IdentityProvider } from '../../core/accounts/sign-in/provider.ts';
import { Refused } from '../../core/errors.ts';
import { textsOf } from '../../languages/texts.ts';
import {
  ownPasswordForm,
  presentPasswordField,
  requirePresentPassword,
} from '../accounts/confirmation.ts';
import { DeleteGroup } from '../accounts/delete.tsx';
import { newPasswordField } from '../accounts/link.tsx';
import { EnteredGroup } from '../accounts/people/enter.tsx';
import { PeopleGroup } from '../accounts/people/people.tsx';
import { startOf } from '../accounts/provider/pages.tsx';
import { passwordsOff } from '../accounts/sign-in.tsx';
import { TimeZoneSetting, timeZoneForm } from '../accounts/time-zone.tsx';
import { domainName } from '../domains/domain-state.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { owner, person, type Route } from '../routing/route.ts';
import { PageHead, PlanExpiry, RelativeTime, Time } from '../ui/components.tsx';
import { DialogActions, DialogPage, FormDialog } from '../ui/dialog.tsx';
import { emailField, Username } from '../ui/fields.tsx';
import { invalidField } from '../ui/form.tsx';
import { formatZone } from '../ui/formatting.ts';
import { Group, Groups, Setting, SettingList } from '../ui/groups.tsx';
import { navigation } from '../ui/layout.tsx';
import { ButtonLink, PostButton, TextLink } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { activityPath } from './activity.tsx';
import { DomainsGroup } from './domains.tsx';
import { SecondFactorSetting } from './second-factor.tsx';
import { listSessions, SessionsSetting } from './sessions.tsx';
import { createVisitorsForm, VisitorsGroup } from './visitors.tsx';

const passwordPath = '/account/settings/password';
const emailPath = '/account/settings/email';
/** The form of a new password, or of the first one. */
const passwordFormOf = ({ session }: PersonContext) => ({
  ...(session.hasPassword && { present: presentPasswordField() }),
  next: newPasswordField(),
});

/** The form of a new e-mail address, which the password confirms. */
const emailFormOf = (context: PersonContext) => ({
  email: emailField({ label: 'New e-mail', parse: parseNewEmail, autocomplete: 'email' }),
  ...ownPasswordForm(context),
});

/** Creates the routes for the account's own password and sessions. */
export function settingsRoutes({
  schedule,
  signIn,
  sessions,
  secondFactors,
  accounts,
  people,
  qrs,
  domains,
  lists,
  identities,
  hasPasswords,
}: PanelDeps): Route[] {
  const visitorsForm = createVisitorsForm(qrs);
  const show = async (context: PersonContext) => {
    const { person: account, role, hasPassword } = context.session;
    const factor = await secondFactors.status(account.id);
    const texts = await accounts.pausedTexts(account.id);
    const listed = await listSessions({ sessions }, context);
    const { id: accountId } = context.session.entered;
    const choices = await qrs.newDomains.choicesOf(accountId, null);
    const hasDomains = choices.urls.length > 1;
    if (hasDomains) await domains.checks.refresh(choices.urls);
    return page(
      context,
      'Settings',
      <>
        <PageHead title="Settings" />
        <Groups>
          <Group title="Account" text="Who you are here, and which clock your days follow.">
            <SettingList>
              <Setting name="E-mail" text={account.email}>
                <ButtonLink
                  to={emailPath}
                  class="button small"
                  aria-label="Change the e-mail address"
                  data-dialog
                >
                  Change
                </ButtonLink>
              </Setting>
              <Setting
                name="Plan"
                text={
                  <>
                    <PlanExpiry account={account} />. The account was created on{' '}
                    <Time ms={account.createdAtMs} />.
                  </>
                }
              />
              {role === 'owner' && <TimeZoneSetting form={timeZoneForm(context)} />}
              <ShortcutsSetting isOn={context.preferences.keys !== 'off'} />
            </SettingList>
          </Group>
          <Group title="Security" text="How you get in, and where you are signed in.">
            <SettingList>
              {hasPasswords && (
                <Setting
                  name="Password"
                  text={
                    hasPassword
                      ? 'A new one signs you out everywhere else.'
                      : 'You have none. With one, you can sign in here too.'
                  }
                >
                  <ButtonLink
                    to={passwordPath}
                    class="button small"
                    aria-label={hasPassword ? 'Change the password' : 'Set a password'}
                    data-dialog
                  >
                    {hasPassword ? 'Change' : 'Set'}
                  </ButtonLink>
                </Setting>
              )}
              {identities.provider !== null && (
                <ProviderSetting
                  provider={identities.provider}
                  identity={await identities.ofAccount(account.id)}
                  canDisconnect={hasPassword}
                />
              )}
              <SecondFactorSetting recoveryCodesLeft={factor?.recoveryCodesLeft ?? null} />
              <SessionsSetting sessions={listed} ownToken={context.sessionToken} />
              {role !== 'viewer' && <ActivitySetting />}
            </SettingList>
          </Group>
          {role === 'owner' ? (
            <PeopleGroup {...(await people.list(account.id))} />
          ) : (
            <EnteredGroup />
          )}
          {hasDomains && (
            <DomainsGroup
              {...choices}
              codes={await lists.countByHost(accountId)}
              checkOf={domains.checks.last}
            />
          )}
          {role === 'owner' && <VisitorsGroup form={visitorsForm} texts={texts} />}
          {role === 'owner' && (
            <DeleteGroup
              to="/account/settings/delete"
              text="Leave this server."
              button="Delete my account…"
            >
              Your e-mail address, password, API key, designs and all names and notes are removed.
              You decide whether your codes keep working.
            </DeleteGroup>
          )}
        </Groups>
      </>,
    );
  };
  const showPassword = async (context: PersonContext) => {
    if (!hasPasswords) throw passwordsOff();
    return page(
      context,
      titleOf(context),
      <FormDialog
        title={titleOf(context)}
        form={passwordFormOf(context)}
        to={passwordPath}
        back="/account/settings"
        button={titleOf(context)}
        after={<Username email={context.session.person.email} />}
      >
        <p class="small soft">You stay signed in here and are signed out everywhere else.</p>
      </FormDialog>,
    );
  };

  const showEmail = async (context: PersonContext) =>
    page(
      context,
      'Change your e-mail address',
      <FormDialog
        title="Change your e-mail address"
        form={emailFormOf(context)}
        to={emailPath}
        back="/account/settings"
        button="Change it"
        after={<Username email={context.session.person.email} />}
      >
        <p class="small soft">
          You sign in with it from then on. This server sends no mail: nobody checks that it is
          yours, so look at each letter. Your sessions, API key and codes stay, and so do the
          accounts that you can enter.
        </p>
      </FormDialog>,
    );

  return [
    person.get('/account/settings', show),
    person.get(emailPath, showEmail),
    person.submit(
      emailPath,
      {
        form: async (context) => emailFormOf(context),
        page: showEmail,
        needsConfirmation: 'without password',
      },
      async (context, { email, password }) => {
        const { session, network } = context;
        const seconds = await signIn.waitSecondsOf(network);
        if (seconds > 0) throw new Refused({ kind: 'too many attempts', seconds });
        await requirePresentPassword(signIn, context, password);
        const { id, email: former } = session.person;
        const acting = { accountId: id, by: { kind: 'person', accountId: id } } as const;
        try {
          await changeEmail(accounts, acting, session.person, email, context.nowMs);
        } catch (error) {
          // Whoever tries many addresses would learn who has an account.
          if (error instanceof Refused && error.reason.kind === 'e-mail address taken')
            await signIn.countFailureOf(network);
          throw error;
        }
        audit(context, 'e-mail address changed', { from: former, to: email });
        return redirectTo(context, '/account/settings', { kind: 'emailChanged', email });
      },
    ),
    person.get('/account/keys', async (context) =>
      page(context, 'Keyboard shortcuts', <ShortcutsDialog />),
    ),
    person.post('/account/settings/keys', async (context, form) => {
      const isOff = form.text('keys') === 'off';
      const message = { kind: isOff ? 'keysOff' : 'keysOn' } as const;
      const preference = ['keys', isOff ? 'off' : 'on'] as const;
      return redirectTo(context, '/account/settings', message, { preference });
    }),
    owner.submit(
      '/account/settings/time-zone',
      { form: async (context) => timeZoneForm(context), page: show },
      async (context, { zone }) => {
        await schedule.changeTimeZone(context.acting, zone);
        const message = { kind: 'timeZoneSaved', place: formatZone(zone) } as const;
        return redirectTo(context, '/account/settings', message);
      },
    ),
    owner.post('/account/settings/domain', async (context, form) => {
      const url = form.text('domain');
      await qrs.newDomains.setDefault(context.acting, url, context.nowMs);
      const message = { kind: 'domainChosen', name: domainName(url) } as const;
      return redirectTo(context, '/account/settings', message);
    }),
    owner.submit(
      '/account/settings/visitors',
      { form: visitorsForm, page: show },
      async (context, texts) => {
        await accounts.changePausedTexts(context.acting, texts, context.nowMs);
        return redirectTo(context, '/account/settings', { kind: 'visitorsSaved' });
      },
    ),
    person.get(passwordPath, showPassword),
    person.submit(
      passwordPath,
      {
        form: async (context) => passwordFormOf(context),
        page: showPassword,
        needsConfirmation: 'without password',
      },
      async (context, { present = null, next }) => {
        if (!hasPasswords) throw passwordsOff();
        const { session, device, request } = context;
        const client = { device, signal: request.signal };
        const result = await signIn.changePassword(session.person, present, next, client);
        if (result.outcome === 'rejected') {
          audit(context, 'password change failed', {}, 'warn');
          throw invalidField(result.field, panelSentence(result.problem));
        }
        audit(context, 'password changed');
        const message = { kind: 'passwordChanged' } as const;
        return redirectTo(context, '/account/settings', message, { tokens: result });
      },
    ),
  ];
}

/** The line of the activity of the account. */
function ActivitySetting() {
  return (
    <Setting
      name="Activity"
      text={`Who did what in this account in the last ${activityDays} days.`}
    >
      <ButtonLink to={activityPath} class="button small" aria-label="Show the activity">
        Show
      </ButtonLink>
    </Setting>
  );
}

/** Returns the title of the form of a password. */
function titleOf({ session }: PersonContext): string {
  return session.hasPassword ? 'Change password' : 'Set a password';
}

interface ProviderSettingProps {
  readonly provider: IdentityProvider;
  /** Null while the account is not connected. */
  readonly identity: StoredIdentity | null;
  /** Whether there is another way in. */
  readonly canDisconnect: boolean;
}

/** The line of the provider, which connects the account with it or disconnects it. */
function ProviderSetting({ provider, identity, canDisconnect }: ProviderSettingProps) {
  const { name, issuer } = provider;
  if (identity === null)
    return (
      <Setting
        name={name}
        isOn={false}
        text="Connect it to sign in without a password of this server."
      >
        <ButtonLink
          to={startOf('/account/settings', 'connect')}
          class="button small"
          aria-label={`Connect ${name}`}
        >
          Connect
        </ButtonLink>
      </Setting>
    );
  const { boundAtMs, lastUsedAtMs } = identity;
  return (
    <Setting
      name={identity.issuer === issuer ? name : new URL(identity.issuer).host}
      isOn
      text={
        <>
          Connected on <Time ms={boundAtMs} />
          {lastUsedAtMs !== null && [', used ', <RelativeTime key="used" ms={lastUsedAtMs} />]}.
          {!canDisconnect && ' It is your only way in.'}
        </>
      }
    >
      {canDisconnect && (
        <PostButton
          to="/account/settings/identity/disconnect"
          class="button small"
          aria-label={`Disconnect ${name}`}
        >
          Disconnect
        </PostButton>
      )}
    </Setting>
  );
}

/** The line of keyboard shortcuts, which may get in the way of speech input (WCAG 2.1.4). */
function ShortcutsSetting({ isOn }: { isOn: boolean }) {
  return (
    <Setting
      name="Keyboard shortcuts"
      isOn={isOn}
      text={
        <>
          In this browser.{' '}
          <TextLink to="/account/keys" data-dialog>
            All shortcuts
          </TextLink>
        </>
      }
    >
      <PostButton
        to="/account/settings/keys"
        values={{ keys: isOn ? 'off' : 'on' }}
        class="button small"
        aria-label={`Switch ${isOn ? 'off' : 'on'} keyboard shortcuts in this browser`}
      >
        Switch {isOn ? 'off' : 'on'}
      </PostButton>
    </Setting>
  );
}

/** What keys do, outside of fields. */
const shortcuts: readonly (readonly [keys: string, does: string])[] = [
  ['N', 'New code'],
  ['/', 'Search'],
  ['Ctrl or ⌘ + K', 'Find codes, folders and pages'],
  ...navigation.flatMap(({ key, name }) =>
    key === undefined ? [] : [[`G, then ${key}`, name(textsOf('en'))] as const],
  ),
  ['X', 'Tick the row with the focus'],
  ['Shift + click', 'Tick all rows from the one ticked last'],
  ['E', 'Change the destination: of the ticked codes, the row with the focus, or the code'],
  ['Esc', 'Close a dialog, or clear the selection'],
  ['Ctrl or ⌘ + Enter', 'Send the form of a dialog'],
  ['?', 'This list'],
];

function ShortcutsDialog() {
  return (
    <DialogPage title="Keyboard shortcuts">
      <dl class="keys">
        {shortcuts.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <DialogActions back="/account/settings" />
    </DialogPage>
  );
}
