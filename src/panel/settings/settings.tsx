/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { type Account, planStateOf } from '../../core/accounts/account.ts';
import { activityDays } from '../../core/accounts/activity/activity.ts';
import { changeEmail } from '../../core/accounts/change-email.ts';
import { parseNewEmail } from '../../core/accounts/email.ts';
import type { StoredIdentity } from '../../core/accounts/ports.ts';
import type { IdentityProvider } from '../../core/accounts/sign-in/provider.ts';
import { Refused } from '../../core/errors.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import {
  ownPasswordForm,
  presentPasswordField,
  requirePresentPassword,
} from '../accounts/confirmation.ts';
import { DeleteGroup } from '../accounts/delete.tsx';
import { LanguageSetting } from '../accounts/language.tsx';
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
import { PageHead, RelativeTime, Time } from '../ui/components.tsx';
import { DialogActions, DialogPage, FormDialog } from '../ui/dialog.tsx';
import { emailField, Username } from '../ui/fields.tsx';
import { invalidField } from '../ui/form.tsx';
import { formatPlanEnd, formatZone } from '../ui/formatting.ts';
import { Group, Groups, Setting, SettingList } from '../ui/groups.tsx';
import { navigation } from '../ui/layout.tsx';
import { ButtonLink, PostButton, TextLink, useRequest, useTexts } from '../ui/page-context.tsx';
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
  email: emailField({
    label: (t) => t.settings.newEmail,
    parse: parseNewEmail,
    autocomplete: 'email',
  }),
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
    const t = context.texts;
    return page(
      context,
      t.common.settings,
      <>
        <PageHead title={t.common.settings} />
        <Groups>
          <Group title={t.settings.account} text={t.settings.whoYouAre}>
            <SettingList>
              <Setting name={t.fields.email} text={account.email}>
                <ButtonLink
                  to={emailPath}
                  class="button small"
                  aria-label={t.settings.changeEmail}
                  data-dialog
                >
                  {t.common.change}
                </ButtonLink>
              </Setting>
              <PlanSetting account={account} />
              <LanguageSetting />
              {role === 'owner' && <TimeZoneSetting form={timeZoneForm(context)} />}
              <ShortcutsSetting isOn={context.preferences.keys !== 'off'} />
            </SettingList>
          </Group>
          <Group title={t.settings.security} text={t.settings.howYouGetIn}>
            <SettingList>
              {hasPasswords && (
                <Setting
                  name={t.fields.password}
                  text={hasPassword ? t.settings.newPasswordSignsOut : t.settings.noPassword}
                >
                  <ButtonLink
                    to={passwordPath}
                    class="button small"
                    aria-label={hasPassword ? t.settings.changeThePassword : t.settings.setPassword}
                    data-dialog
                  >
                    {hasPassword ? t.common.change : t.settings.set}
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
              text={t.settings.leaveServer}
              button={t.settings.deleteMyAccount}
            >
              {t.settings.whatIsRemoved}
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
        <p class="small soft">{context.texts.settings.youStaySignedIn}</p>
      </FormDialog>,
    );
  };

  const showEmail = async (context: PersonContext) => {
    const { settings: t } = context.texts;
    return page(
      context,
      t.changeYourEmail,
      <FormDialog
        title={t.changeYourEmail}
        form={emailFormOf(context)}
        to={emailPath}
        back="/account/settings"
        button={t.changeIt}
        after={<Username email={context.session.person.email} />}
      >
        <p class="small soft">{t.newEmailSignsIn}</p>
      </FormDialog>,
    );
  };

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
      page(context, context.texts.pages.keys, <ShortcutsDialog />),
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
          throw invalidField(result.field, (t) => panelSentence(result.problem, t));
        }
        audit(context, 'password changed');
        const message = { kind: 'passwordChanged' } as const;
        return redirectTo(context, '/account/settings', message, { tokens: result });
      },
    ),
  ];
}

/** The line of the plan, and of how old the account is. */
function PlanSetting({ account }: { account: Account }) {
  const { nowMs } = useRequest();
  const t = useTexts();
  const { planUntilMs, createdAtMs } = account;
  return (
    <Setting
      name={t.settings.plan}
      text={t.settings.planAndCreation<ComponentChildren>({
        state: planUntilMs === null ? 'endless' : planStateOf(account, nowMs),
        end: planUntilMs !== null && <Time ms={planUntilMs} format={formatPlanEnd} />,
        bad: (parts) => <span class="expired">{parts}</span>,
        created: <Time ms={createdAtMs} />,
      })}
    />
  );
}

/** The line of the activity of the account. */
function ActivitySetting() {
  const t = useTexts();
  return (
    <Setting name={t.common.activity} text={t.settings.activityKept({ days: activityDays })}>
      <ButtonLink to={activityPath} class="button small" aria-label={t.settings.showActivity}>
        {t.settings.show}
      </ButtonLink>
    </Setting>
  );
}

/** Returns the title of the form of a password. */
function titleOf({ session, texts: t }: PersonContext): string {
  return session.hasPassword ? t.settings.changePassword : t.settings.setPassword;
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
  const t = useTexts();
  if (identity === null)
    return (
      <Setting name={name} isOn={false} text={t.settings.connectToSignIn}>
        <ButtonLink
          to={startOf('/account/settings', 'connect')}
          class="button small"
          aria-label={t.provider.connectTitle({ provider: name })}
        >
          {t.provider.connect}
        </ButtonLink>
      </Setting>
    );
  const { boundAtMs, lastUsedAtMs } = identity;
  const date = <Time ms={boundAtMs} />;
  return (
    <Setting
      name={identity.issuer === issuer ? name : new URL(identity.issuer).host}
      isOn
      text={
        <>
          {lastUsedAtMs === null
            ? t.settings.connectedOn({ date })
            : t.settings.connectedAndUsed({ date, when: <RelativeTime ms={lastUsedAtMs} /> })}
          {!canDisconnect && ` ${t.settings.onlyWayIn}`}
        </>
      }
    >
      {canDisconnect && (
        <PostButton
          to="/account/settings/identity/disconnect"
          class="button small"
          aria-label={t.settings.disconnectProvider({ provider: name })}
        >
          {t.settings.disconnect}
        </PostButton>
      )}
    </Setting>
  );
}

/** The line of keyboard shortcuts, which may get in the way of speech input (WCAG 2.1.4). */
function ShortcutsSetting({ isOn }: { isOn: boolean }) {
  const t = useTexts();
  return (
    <Setting
      name={t.pages.keys}
      isOn={isOn}
      text={t.shortcuts.inThisBrowser({
        all: (text) => (
          <TextLink to="/account/keys" data-dialog>
            {text}
          </TextLink>
        ),
      })}
    >
      <PostButton
        to="/account/settings/keys"
        values={{ keys: isOn ? 'off' : 'on' }}
        class="button small"
        aria-label={isOn ? t.shortcuts.switchOffHere : t.shortcuts.switchOnHere}
      >
        {isOn ? t.shortcuts.switchOff : t.shortcuts.switchOn}
      </PostButton>
    </Setting>
  );
}

/** Returns what keys do, outside of fields. */
function shortcutsOf(texts: Texts): readonly (readonly [keys: string, does: string])[] {
  const { shortcuts: t } = texts;
  return [
    ['N', texts.pages.newCode],
    ['/', t.search],
    [t.ctrlOrCommand({ key: 'K' }), t.find],
    ...navigation.flatMap(({ key, name }) =>
      key === undefined
        ? []
        : [[t.oneThenOther({ first: 'G', second: key }), name(texts)] as const],
    ),
    ['X', t.tickRow],
    [t.shiftAndClick, t.tickRows],
    ['E', t.changeDestination],
    ['Esc', t.close],
    [t.ctrlOrCommand({ key: 'Enter' }), t.send],
    ['?', t.thisList],
  ];
}

function ShortcutsDialog() {
  const t = useTexts();
  return (
    <DialogPage title={t.pages.keys}>
      <dl class="keys">
        {shortcutsOf(t).map(([keys, does]) => (
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
