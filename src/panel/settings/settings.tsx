/** @jsxImportSource preact */

import { presentPasswordField } from '../accounts/confirmation.ts';
import { DeleteCard } from '../accounts/delete.tsx';
import { newPasswordField } from '../accounts/link.tsx';
import { TimeZoneCard, timeZoneForm } from '../accounts/time-zone.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { Facts, PageHead, PlanExpiry, Time } from '../ui/components.tsx';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import { Username } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { formatZone } from '../ui/formatting.ts';
import { navigation } from '../ui/layout.tsx';
import { PostButton, Submit, TextLink } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { SecondFactorCard } from './second-factor.tsx';
import { maxListedSessions, SessionsCard } from './sessions.tsx';
import { createVisitorsForm, VisitorsCard } from './visitors.tsx';

const passwordForm = {
  present: presentPasswordField(),
  next: newPasswordField('New password'),
};

/** Creates the routes for the account's own password and sessions. */
export function settingsRoutes({
  plannedChanges,
  signIn,
  sessions,
  secondFactors,
  accounts,
  qrs,
}: PanelDeps): Route[] {
  const visitorsForm = createVisitorsForm(qrs);
  const show = async (context: SignedInContext) => {
    const { account } = context.session;
    const hasSecondFactor = (await secondFactors.status(account.id)) !== null;
    const isOff = context.preferences.keys === 'off';
    const texts = await accounts.pausedTexts(account.id);
    const listed = await sessions.list(account.id, maxListedSessions + 1);
    return page(
      context,
      'Settings',
      <>
        <PageHead title="Settings" />
        <section class="card pad" aria-label="Account">
          <Facts
            of={{
              'E-mail': account.email,
              Plan: <PlanExpiry account={account} />,
              Created: <Time ms={account.createdAtMs} />,
            }}
          />
        </section>
        <div class="columns">
          <TimeZoneCard form={timeZoneForm(context)} />
          <Card title="Change password">
            <FormView form={passwordForm} to="/account/settings/password" class="stack">
              <Username email={account.email} />
              <Submit>Change password</Submit>
              <p class="hint">You stay signed in here and are signed out everywhere else.</p>
            </FormView>
          </Card>
          <VisitorsCard form={visitorsForm} texts={texts} />
          <SecondFactorCard isOn={hasSecondFactor} />
          <SessionsCard sessions={listed} ownToken={context.sessionToken} />
          {/* Keyboard shortcuts may get in the way of speech input (WCAG 2.1.4). */}
          <Card title="Keyboard shortcuts">
            <p>
              <TextLink to="/account/keys" data-dialog>
                All shortcuts
              </TextLink>
            </p>
            <PostButton
              to="/account/settings/keys"
              values={{ keys: isOff ? 'on' : 'off' }}
              class="button"
            >
              {isOff ? 'Switch on in this browser' : 'Switch off in this browser'}
            </PostButton>
          </Card>
        </div>
        <DeleteCard to="/account/settings/delete">
          Your e-mail address, password, API key, designs and all names and notes are removed. You
          decide whether your codes keep working.
        </DeleteCard>
      </>,
    );
  };

  return [
    signedIn.get('/account/settings', show),
    signedIn.get('/account/keys', async (context) =>
      page(context, 'Keyboard shortcuts', <ShortcutsDialog />),
    ),
    signedIn.post('/account/settings/keys', async (context, form) => {
      const isOff = form.text('keys') === 'off';
      const message = { kind: isOff ? 'keysOff' : 'keysOn' } as const;
      const preference = ['keys', isOff ? 'off' : 'on'] as const;
      return redirectTo(context, '/account/settings', message, { preference });
    }),
    signedIn.submit(
      '/account/settings/time-zone',
      { form: async (context) => timeZoneForm(context), page: show },
      async (context, { zone }) => {
        await plannedChanges.changeTimeZone(context.accountId, zone);
        const message = { kind: 'timeZoneSaved', place: formatZone(zone) } as const;
        return redirectTo(context, '/account/settings', message);
      },
    ),
    signedIn.submit(
      '/account/settings/visitors',
      { form: visitorsForm, page: show },
      async (context, texts) => {
        await accounts.changePausedTexts(context.accountId, texts);
        return redirectTo(context, '/account/settings', { kind: 'visitorsSaved' });
      },
    ),
    signedIn.submit(
      '/account/settings/password',
      { form: passwordForm, page: show },
      async (context, { present, next }) => {
        const { session, device, request } = context;
        const client = { device, signal: request.signal };
        const result = await signIn.changePassword(session.account, present, next, client);
        if ('problem' in result) {
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

/** What keys do, outside of fields. */
const shortcuts: readonly (readonly [keys: string, does: string])[] = [
  ['N', 'New code'],
  ['/', 'Search'],
  ...navigation.flatMap(({ key, name }) =>
    key === undefined ? [] : [[`G, then ${key}`, name] as const],
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
