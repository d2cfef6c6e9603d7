/** @jsxImportSource preact */
import type { ListedAccount } from '../../core/accounts/account.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../routing/audit.ts';
import { PanelError } from '../routing/errors.tsx';
import { page } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Fact, PlanExpiry, Search } from '../ui/components.tsx';
import { Field } from '../ui/fields.tsx';
import { formatCount, formatNumber } from '../ui/formatting.ts';
import { Form, Link } from '../ui/page-context.tsx';
import { AccountPage, issueSignInLink, PlanField, planEndOf } from './account.tsx';

const maxListed = 200;

/** Creates the routes with which operators list and create accounts. */
export function accountsRoutes({ operators, links }: PanelDeps): Route[] {
  return [
    operator.get('/account/accounts', async (context) => {
      const search = (context.url.searchParams.get('q') ?? '').trim();
      const { accounts, total } = await operators.search(search, maxListed);
      const more = total - accounts.length;
      const totals = await operators.totals();
      return page(
        context,
        'Accounts',
        <>
          <h1>Accounts</h1>
          <dl class="facts">
            <Fact name="Accounts">{formatNumber(totals.accounts)}</Fact>
            <Fact name="Codes">{formatNumber(totals.qrs)}</Fact>
            <Fact name="Scans">{formatNumber(totals.scans)}</Fact>
          </dl>
          <div class="columns">
            <section class="stack" aria-labelledby="list-title">
              <h2 id="list-title">All accounts</h2>
              <Search label="Search by e-mail" button="Search" value={search} />
              <AccountList accounts={accounts} />
              {more > 0 && <p class="hint">{formatNumber(more)} more. Search to find them.</p>}
            </section>
            <NewAccount />
          </div>
        </>,
      );
    }),
    operator.post('/account/accounts', async (context, form) => {
      const created = await operators.create({
        email: form.text('email'),
        planEnd: planEndOf(form),
        isOperator: form.text('operator') === 'yes',
      });
      if ('problem' in created)
        throw new PanelError(422, 'The account was not created', created.problem);
      const { account } = created;
      const { email, isOperator } = account;
      audit(context, 'account created', { account: email, operator: isOperator });
      return page(
        context,
        account.email,
        <AccountPage
          account={{ ...account, qrs: 0 }}
          link={await issueSignInLink(links, account, context.publicUrl)}
        />,
      );
    }),
  ];
}

function AccountList({ accounts }: { accounts: readonly ListedAccount[] }) {
  if (accounts.length === 0) return <p class="hint">No accounts found.</p>;
  return (
    <ul class="rows">
      {accounts.map((account) => (
        <li key={account.id}>
          <Link to={`/account/accounts/${account.id}`}>{account.email}</Link>
          <span class="hint">
            {formatCount(account.qrs, 'code')} · plan <PlanExpiry account={account} />
            {account.isOperator && ' · operator'}
          </span>
        </li>
      ))}
    </ul>
  );
}

function NewAccount() {
  return (
    <section class="card">
      <h2>New account</h2>
      <Form to="/account/accounts" class="stack">
        <Field id="email" label="E-mail" type="email" autocomplete="off" required />
        <PlanField value="" />
        <label class="check">
          <input type="checkbox" name="operator" value="yes" />
          Operator: can manage accounts and safety
        </label>
        <button type="submit">Create account</button>
        <p class="hint">You’ll get a one-time link for them to set a password.</p>
      </Form>
    </section>
  );
}
