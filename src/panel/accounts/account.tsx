/** @jsxImportSource preact */
import {
  type Account,
  type ListedAccount,
  type PlanState,
  planStateOf,
  requirePlanEnd,
} from '../../core/accounts/account.ts';
import {
  type SignInLinks,
  signInLinkLifetimeMs,
} from '../../core/accounts/sign-in/sign-in-link.ts';
import { defaultTimeZone } from '../../core/accounts/time-zone.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { codeUseText } from '../../sentences/accounts.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { actingOn, audit, type PersonContext } from '../request/request.ts';
import { type PageResponse, page, redirectTo } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Card, Crumb } from '../ui/cards.tsx';
import { Copyable, Facts, PageHead, PlanExpiry, RelativeTime, Time } from '../ui/components.tsx';
import { textField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { formatRelativeTime, isoDate } from '../ui/formatting.ts';
import { Group, Groups, Setting, SettingList } from '../ui/groups.tsx';
import { PostButton, Submit } from '../ui/page-context.tsx';
import { DeleteGroup } from './delete.tsx';
import { findAccount } from './find-account.ts';
import { MembersGroup } from './people/people.tsx';

/** The form of an account's plan. */
export const planForm = {
  plan: textField({
    label: 'Last day of the plan',
    hint: 'In UTC. Empty: it doesn’t end. After it, printed codes keep working; creating and changing stop.',
    parse: requirePlanEnd,
    type: 'date',
  }),
};

/** What an operator does to another account. */
const needsConfirmation = true;

/** Creates the routes with which operators manage one account. */
export function accountRoutes(deps: PanelDeps): Route[] {
  const { accounts, sessions, signInLinks, secondFactors } = deps;
  const show = async (context: PersonContext) =>
    showAccount(deps, context, await findAccount(accounts, context));

  return [
    operator.get('/account/accounts/:id', show),
    operator.submit(
      '/account/accounts/:id/plan',
      { form: planForm, page: show, needsConfirmation },
      async (context, { plan }) => {
        const { id, email } = await findAccount(accounts, context);
        await accounts.changePlan(actingOn(context, id), plan, context.nowMs);
        const until = plan === null ? 'never' : new Date(plan).toISOString();
        audit(context, 'plan changed', { account: email, until });
        return redirectTo(context, `/account/accounts/${id}`, { kind: 'planSaved' });
      },
    ),
    operator.post(
      '/account/accounts/:id/sign-out',
      async (context) => {
        const { id, email } = await findAccount(accounts, context);
        await sessions.endAll(actingOn(context, id));
        audit(context, 'signed out everywhere', { account: email });
        return redirectTo(context, `/account/accounts/${id}`, { kind: 'sessionsEnded' });
      },
      { needsConfirmation },
    ),
    operator.post(
      '/account/accounts/:id/link',
      async (context) => {
        const account = await findAccount(accounts, context);
        if (account.id === context.session.person.id)
          throw new InvalidInput(
            'Nobody makes a link for the own account. Change your password in the settings.',
          );
        const link = await issueSignInLink(signInLinks, account, context);
        audit(context, 'one-time link issued', { account: account.email });
        return showAccount(deps, context, account, link);
      },
      { needsConfirmation },
    ),
    operator.post(
      '/account/accounts/:id/second-factor',
      async (context) => {
        const { id, email } = await findAccount(accounts, context);
        if (id === context.session.person.id)
          throw new InvalidInput('Turn off your own second factor in the settings, with a code.');
        await secondFactors.turnOff(actingOn(context, id));
        audit(context, 'second factor reset', { account: email });
        return redirectTo(context, `/account/accounts/${id}`, { kind: 'secondFactorOff' });
      },
      { needsConfirmation },
    ),
  ];
}

/** Issues a one-time link for setting an account's password. */
export async function issueSignInLink(
  signInLinks: SignInLinks,
  account: Account,
  context: PersonContext,
): Promise<string> {
  const token = await signInLinks.issue(actingOn(context, account.id));
  return `${context.publicUrl}/account/link/${token}`;
}

/** Renders the page of an account, with a new one-time link if there is one. */
export async function showAccount(
  { apiKeys, sessions, deletion, people, hasPasswords }: PanelDeps,
  context: PersonContext,
  account: ListedAccount,
  link: string | null = null,
): Promise<PageResponse> {
  const { nowMs, session } = context;
  const use = await deletion.useOf(account.id);
  const key = await apiKeys.status(account.id);
  const [latest] = await sessions.list(account.id, 1);
  const isOwn = account.id === session.person.id;
  const { email, planUntilMs } = account;
  const path = `/account/accounts/${account.id}`;
  const plan = planUntilMs === null ? '' : isoDate(planUntilMs, { zone: defaultTimeZone });
  return page(
    context,
    email,
    <>
      <Crumb above={[['/account/accounts', 'Accounts']]}>{isOwn ? 'Your account' : email}</Crumb>
      <PageHead
        title={isOwn ? 'Your account' : <bdi>{email}</bdi>}
        text={isOwn && <bdi>{email}</bdi>}
        beside={
          <>
            <PlanPill state={planStateOf(account, nowMs)} />
            {account.isOperator && <span class="pill plain">Operator</span>}
          </>
        }
      />
      {link !== null && <NewLink email={email} link={link} />}
      <section class="card pad" aria-label="Facts">
        <Facts
          of={{
            Codes: formatNumber(account.qrs),
            'Scans, 30 days': formatNumber(use.recentScans),
            Created: <Time ms={account.createdAtMs} />,
            Plan: <PlanExpiry account={account} />,
            'Last seen': latest ? <RelativeTime ms={latest.lastSeenAtMs} /> : 'not signed in',
            'API key': key ? ['ends in ', <code key="key">{key.record.lastFour}</code>] : 'none',
            'Second factor': account.hasSecondFactor ? 'on' : 'off',
          }}
        />
      </section>
      <Groups>
        <Group
          title="Account"
          text={isOwn ? 'What you may do, and until when.' : 'What it may do, and until when.'}
        >
          <FormView form={planForm} to={`${path}/plan`} values={{ plan }} class="pad stack tight">
            <Submit>Save plan</Submit>
          </FormView>
        </Group>
        <Group
          title="Security"
          text={
            isOwn
              ? 'A new password signs you out everywhere else.'
              : 'A new password signs them out everywhere else.'
          }
        >
          <SettingList>
            {!isOwn && (
              <Setting
                name="One-time link"
                text={`It lets ${email} ${hasPasswords ? 'set a new password' : 'sign in'}. A new link replaces an earlier one.${account.hasSecondFactor ? ' Their second factor stays on.' : ''}`}
              >
                <PostButton to={`${path}/link`} class="button small">
                  Create a link
                </PostButton>
              </Setting>
            )}
            {account.hasSecondFactor && !isOwn && (
              <Setting
                name="Second factor"
                isOn
                text="For somebody without phone and recovery codes. Make sure that it is them: then the password alone is enough to sign in."
              >
                <PostButton to={`${path}/second-factor`} class="button small danger">
                  Turn off
                </PostButton>
              </Setting>
            )}
            <Setting
              name="Devices"
              text={
                latest
                  ? ['Used ', <RelativeTime key="seen" ms={latest.lastSeenAtMs} />]
                  : 'Signed in nowhere.'
              }
            >
              <PostButton to={`${path}/sign-out`} class="button small">
                Sign out everywhere
              </PostButton>
            </Setting>
          </SettingList>
        </Group>
        <MembersGroup {...(await people.list(account.id))} isOwn={isOwn} />
        <DeleteGroup to={`${path}/delete`} text="This cannot be undone." button="Delete…">
          {codeUseText(use, isOwn, (ms) => formatRelativeTime(ms, context))}
          {use.codes > 0 &&
            (isOwn
              ? ' You decide what happens to your codes.'
              : ' You decide what happens to its codes.')}
        </DeleteGroup>
      </Groups>
    </>,
  );
}

const planPills = {
  active: <span class="pill good">Active</span>,
  none: <span class="pill warn">No plan</span>,
  expired: <span class="pill warn">Plan expired</span>,
} as const satisfies Record<PlanState, unknown>;

function PlanPill({ state }: { state: PlanState }) {
  return planPills[state];
}

function NewLink({ email, link }: { email: string; link: string }) {
  return (
    <Card isRegion title="Sign-in link" class="card pad stack tight highlight">
      <p>
        Send it to {email} over a channel you trust: anyone who opens it can set the password. It
        works once and expires in {signInLinkLifetimeMs / 86_400_000} days, or when the password is
        changed. It is shown <b>only this once</b>.
      </p>
      <Copyable label="the link" text={link} />
    </Card>
  );
}
