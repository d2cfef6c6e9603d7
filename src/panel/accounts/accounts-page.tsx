/** @jsxImportSource preact */
import type { ListedAccount, Totals } from '../../core/accounts/operators.ts';
import { countText, numberText } from '../ui/formatting.ts';
import { Field, Form, Link } from '../ui/parts.tsx';
import { PlanField, PlanText } from './account-page.tsx';

/** What was typed into the form for a new account. */
export interface NewAccount {
  readonly email: string;
  readonly plan: string;
  readonly operator: boolean;
}

/** What was wrong with one field of a form. */
export interface Complaint {
  readonly problem: string;
  readonly field: 'email' | 'planEnd';
}

interface AccountsProps {
  readonly accounts: readonly ListedAccount[];
  /** How many there are besides those listed. */
  readonly more: number;
  readonly totals: Totals;
  readonly search: string;
  readonly nowMs: number;
  readonly typed?: NewAccount;
  readonly refused?: Complaint;
}

export function AccountsPage(props: AccountsProps) {
  const { accounts, more, totals, search, nowMs, refused } = props;
  const typed = props.typed ?? { email: '', plan: '', operator: false };
  const problemOf = (field: Complaint['field']) =>
    refused?.field === field ? refused.problem : null;
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
            <p class="empty">No account matches.</p>
          ) : (
            <ul class="list">
              {accounts.map((account) => (
                <li key={account.id}>
                  <Link class="list-link" to={`/account/accounts/${account.id}`}>
                    {account.email}
                  </Link>
                  <span class="list-note">
                    {countText(account.qrs, 'code')} · <PlanText account={account} nowMs={nowMs} />
                    {account.isOperator && ' · operator'}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {more > 0 && <p class="hint">{numberText(more)} more. Search to find them.</p>}
        </section>
        <section class="card">
          <h2>New account</h2>
          <Form to="/account/accounts" class="stack">
            <Field
              id="email"
              label="E-mail"
              problem={problemOf('email')}
              input={{ type: 'email', value: typed.email, autocomplete: 'off', required: true }}
            />
            <PlanField value={typed.plan} problem={problemOf('planEnd')} />
            <label class="check">
              <input type="checkbox" name="operator" value="yes" checked={typed.operator} />
              Operator: may manage accounts and safety
            </label>
            <button type="submit">Create the account</button>
            <p class="hint">You get a link to hand out, with which they set their password.</p>
          </Form>
        </section>
      </div>
    </>
  );
}
