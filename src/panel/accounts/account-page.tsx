/** @jsxImportSource preact */
import { type Account, hasActivePlan } from '../../core/accounts/account.ts';
import type { ListedAccount } from '../../core/accounts/operators.ts';
import { signInLinkLifetimeMs } from '../../core/accounts/sign-in-link.ts';
import { numberText } from '../ui/formatting.ts';
import { Day } from '../ui/moment.tsx';
import { Copyable, Field, Form, Link, Notice } from '../ui/parts.tsx';

/** What was typed for the end of a plan that cannot be set, and why. */
export interface RefusedPlan {
  readonly typed: string;
  readonly problem: string;
}

interface AccountProps {
  readonly account: ListedAccount;
  readonly nowMs: number;
  /** A sign-in link that was made just now: shown once. */
  readonly link: string | null;
  readonly done: string | null;
  readonly refused: RefusedPlan | null;
}

export function AccountPage({ account, nowMs, link, done, refused }: AccountProps) {
  const path = `/account/accounts/${account.id}`;
  return (
    <>
      <p class="back">
        <Link to="/account/accounts">Accounts</Link>
      </p>
      <h1 class="long">{account.email}</h1>
      {done !== null && <Notice kind="good" title={done} />}
      {link !== null && (
        <section class="card fresh" aria-labelledby="link-title">
          <h2 id="link-title">Sign-in link</h2>
          <p>
            Hand it to {account.email} over a channel you trust: whoever opens it sets the password.
            It works once, for {signInLinkLifetimeMs / 86_400_000} days unless the password is
            changed before, and is shown <b>only this once</b>.
          </p>
          <Copyable label="the link" text={link} wide />
        </section>
      )}
      <dl class="facts">
        <div>
          <dt>Codes</dt>
          <dd>{numberText(account.qrs)}</dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>
            <Day ms={account.createdAtMs} />
          </dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>
            <PlanText account={account} nowMs={nowMs} />
          </dd>
        </div>
      </dl>
      <div class="columns">
        <section class="card">
          <h2>Plan</h2>
          <Form to={`${path}/plan`} class="stack">
            <PlanField
              problem={refused?.problem ?? null}
              value={refused?.typed ?? lastDayOf(account)}
            />
            <button type="submit">Set the plan</button>
          </Form>
        </section>
        <section class="card">
          <h2>Sign-in link</h2>
          <p>
            With it, {account.email} sets a new password. That signs them out everywhere else and
            ends an earlier link.
          </p>
          <Form to={`${path}/link`}>
            <button type="submit" class="quiet">
              Make a sign-in link
            </button>
          </Form>
        </section>
      </div>
    </>
  );
}

/** As a date field takes it; empty for a plan without end. */
function lastDayOf({ planUntilMs }: Account): string {
  return planUntilMs === null ? '' : new Date(planUntilMs).toISOString().slice(0, 10);
}

/** The last day of a plan. */
export function PlanField({ value, problem }: { value: string; problem: string | null }) {
  return (
    <Field
      id="plan"
      label="Last day of the plan"
      problem={problem}
      hint="Through that day in UTC. Leave it empty for a plan without end."
      input={{ type: 'date', value }}
    />
  );
}

/** Whether a plan lasts, and until when. */
export function PlanText({ account, nowMs }: { account: Account; nowMs: number }) {
  if (account.planUntilMs === null) return <>plan without end</>;
  const active = hasActivePlan(account, nowMs);
  return (
    <span class={active ? undefined : 'ended'}>
      plan {active ? 'until' : 'ended'} <Day ms={account.planUntilMs} />
    </span>
  );
}
