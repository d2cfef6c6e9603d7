/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
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
import { PostButton, Submit, useTexts } from '../ui/page-context.tsx';
import { DeleteGroup } from './delete.tsx';
import { findAccount } from './find-account.ts';
import { MembersGroup } from './people/people.tsx';

/** The form of an account's plan. */
export const planForm = {
  plan: textField({
    label: (t) => t.accounts.lastPlanDay,
    hint: (t) => t.accounts.lastPlanDayHint,
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
          throw new InvalidInput((t) => t.accounts.noOwnLink);
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
          throw new InvalidInput((t) => t.accounts.ownSecondFactor);
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
  const { nowMs, session, texts } = context;
  const { accounts: t, formats } = texts;
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
      <Crumb above={[['/account/accounts', t.title]]}>{isOwn ? t.yours : email}</Crumb>
      <PageHead
        title={isOwn ? t.yours : <bdi>{email}</bdi>}
        text={isOwn && <bdi>{email}</bdi>}
        beside={
          <>
            <PlanPill state={planStateOf(account, nowMs)} />
            {account.isOperator && <span class="pill plain">{t.operator}</span>}
          </>
        }
      />
      {link !== null && <NewLink email={email} link={link} />}
      <section class="card pad" aria-label={t.facts}>
        <Facts
          of={{
            [t.codes]: formats.number(account.qrs),
            [t.recentScans]: formats.number(use.recentScans),
            [t.created]: <Time ms={account.createdAtMs} />,
            [t.plan]: <PlanExpiry account={account} />,
            [t.lastSeen]: latest ? <RelativeTime ms={latest.lastSeenAtMs} /> : t.notSignedIn,
            [t.apiKey]: key ? t.keyEndsIn({ end: <code>{key.record.lastFour}</code> }) : t.noKey,
            [t.secondFactor]: account.hasSecondFactor ? t.isOn : t.isOff,
          }}
        />
      </section>
      <Groups>
        <Group title={t.account} text={isOwn ? t.whatYouMayDo : t.whatItMayDo}>
          <FormView form={planForm} to={`${path}/plan`} values={{ plan }} class="pad stack tight">
            <Submit>{t.savePlan}</Submit>
          </FormView>
        </Group>
        <Group title={t.security} text={isOwn ? t.passwordSignsYouOut : t.passwordSignsThemOut}>
          <SettingList>
            {!isOwn && (
              <Setting
                name={t.oneTimeLink}
                text={
                  <>
                    {hasPasswords ? t.linkSetsPassword({ email }) : t.linkSignsIn({ email })}
                    {account.hasSecondFactor && ` ${t.factorStaysOn}`}
                  </>
                }
              >
                <PostButton to={`${path}/link`} class="button small">
                  {t.createLink}
                </PostButton>
              </Setting>
            )}
            {account.hasSecondFactor && !isOwn && (
              <Setting name={t.secondFactor} isOn text={t.turnOffWhen}>
                <PostButton to={`${path}/second-factor`} class="button small danger">
                  {t.turnOff}
                </PostButton>
              </Setting>
            )}
            <Setting
              name={t.devices}
              text={
                latest
                  ? t.used({ when: <RelativeTime ms={latest.lastSeenAtMs} /> })
                  : t.signedInNowhere
              }
            >
              <PostButton to={`${path}/sign-out`} class="button small">
                {t.signOutEverywhere}
              </PostButton>
            </Setting>
          </SettingList>
        </Group>
        <MembersGroup {...(await people.list(account.id))} isOwn={isOwn} />
        <DeleteGroup to={`${path}/delete`} text={t.cannotUndo} button={t.deleteMenu}>
          {codeUseText(texts, use, isOwn, (ms) => formatRelativeTime(ms, context))}
          {use.codes > 0 && ` ${isOwn ? t.decideYours : t.decideIts}`}
        </DeleteGroup>
      </Groups>
    </>,
  );
}

function PlanPill({ state }: { state: PlanState }) {
  const t = useTexts().accounts;
  return (
    <span class={state === 'active' ? 'pill good' : 'pill warn'}>{t.planState({ state })}</span>
  );
}

function NewLink({ email, link }: { email: string; link: string }) {
  const t = useTexts();
  return (
    <Card isRegion title={t.accounts.signInLink} class="card pad stack tight highlight">
      <p>
        {t.accounts.sendLink<ComponentChildren>({
          email,
          days: signInLinkLifetimeMs / 86_400_000,
          b: (text) => <b>{text}</b>,
        })}
      </p>
      <Copyable label={t.common.copyLink} text={link} />
    </Card>
  );
}
