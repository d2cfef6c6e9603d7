/** @jsxImportSource preact */
import { type Account, hasActivePlan } from '../../core/account.ts';
import type { ListedAccount, Totals } from '../../core/operators.ts';
import { dayText, numberText } from '../words.ts';
import { Copyable, Field, Form, Link, Notice } from './parts.tsx';

interface AccountsProps {
  readonly accounts: readonly ListedAccount[];
  /** How many there are besides those listed. */
  readonly more: number;
  readonly totals: Totals;
  readonly search: string;
  readonly nowMs: number;
  readonly problem?: string | null;
  readonly typed?: { email: string; plan: string };
}

export function AccountsPage(props: AccountsProps) {
  const { accounts, more, totals, search, nowMs, problem = null } = props;
  const typed = props.typed ?? { email: '', plan: '' };
  return (
    <>
      <h1>Accounts</h1>
      <dl class="facts">
        <div>
          <dt>Accounts</dt>
          <dd>{numberText(totals.accounts)}</dd>
        </div>
        <div>
          <dt>Codes</dt>
          <dd>{numberText(totals.qrs)}</dd>
        </div>
        <div>
          <dt>Scans</dt>
          <dd>{numberText(totals.scans)}</dd>
        </div>
      </dl>
      <div class="columns wide-first">
        <section aria-labelledby="list-title">
          <h2 id="list-title">All accounts</h2>
          <search>
            <form class="search">
              <label class="hidden" for="q">
                Find by e-mail
              </label>
              <input id="q" name="q" type="search" value={search} placeholder="Find by e-mail" />
              <button type="submit" class="quiet">
                Find
              </button>
            </form>
          </search>
          {accounts.length === 0 ? (
            <p class="empty">No account has that in its e-mail.</p>
          ) : (
            <ul class="list">
              {accounts.map((account) => (
                <li key={account.id}>
                  <Link class="list-link" to={`/account/accounts/${account.id}`}>
                    {account.email}
                  </Link>
                  <span class="list-note">
                    {numberText(account.qrs)} codes · <PlanText account={account} nowMs={nowMs} />
                    {account.operator && ' · operator'}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {more > 0 && <p class="hint">{numberText(more)} more. Search to find them.</p>}
        </section>
        <section class="card">
          <h2>New account</h2>
          {problem !== null && <Notice kind="bad" title={problem} />}
          <Form to="/account/accounts" class="stack">
            <Field
              id="email"
              label="E-mail"
              input={{ type: 'email', value: typed.email, autocomplete: 'off', required: true }}
            />
            <PlanField value={typed.plan} />
            <label class="check">
              <input type="checkbox" name="operator" value="yes" />
              Operator: may manage accounts
            </label>
            <button type="submit">Create the account</button>
            <p class="hint">You get a link to hand out, with which they set their password.</p>
          </Form>
        </section>
      </div>
    </>
  );
}

interface AccountProps {
  readonly account: ListedAccount;
  readonly nowMs: number;
  /** A sign-in link that was made just now: shown once. */
  readonly link: string | null;
  readonly done: string | null;
  readonly problem?: string | null;
}

export function AccountPage({ account, nowMs, link, done, problem = null }: AccountProps) {
  const path = `/account/accounts/${account.id}`;
  return (
    <>
      <p class="back">
        <Link to="/account/accounts">Accounts</Link>
      </p>
      <h1 class="long">{account.email}</h1>
      {done !== null && <Notice kind="good" title={done} />}
      {problem !== null && <Notice kind="bad" title={problem} />}
      {link !== null && (
        <section class="card fresh" aria-labelledby="link-title">
          <h2 id="link-title">Sign-in link</h2>
          <p>
            Hand it to {account.email} by a way you trust: whoever opens it sets the password. It
            works once, for seven days, and is shown <b>only this once</b>.
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
          <dd>{dayText(account.createdAtMs)}</dd>
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
              value={
                account.planUntilMs === null
                  ? ''
                  : new Date(account.planUntilMs).toISOString().slice(0, 10)
              }
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

function PlanField({ value }: { value: string }) {
  return (
    <Field
      id="plan"
      label="Last day of the plan"
      hint="Through that day in UTC. Leave it empty for a plan without end."
      input={{ type: 'date', value }}
    />
  );
}

function PlanText({ account, nowMs }: { account: Account; nowMs: number }) {
  if (account.planUntilMs === null) return <>plan without end</>;
  const active = hasActivePlan(account, nowMs);
  return (
    <span class={active ? undefined : 'ended'}>
      plan {active ? 'until' : 'ended'} {dayText(account.planUntilMs)}
    </span>
  );
}
