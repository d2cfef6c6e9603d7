/** @jsxImportSource preact */
import { maxEmailLength, parseNewEmail } from '../../core/accounts/account.ts';
import { formatCount, formatNumber, plural } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Card, ListCard } from '../ui/cards.tsx';
import { Facts, PageHead, PlanExpiry, Search } from '../ui/components.tsx';
import { checkField, emailField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { Link, Submit } from '../ui/page-context.tsx';
import { issueSignInLink, planForm, showAccount } from './account.tsx';

const maxListed = 200;

const accountForm = {
  email: emailField({ parse: parseNewEmail, autocomplete: 'off' }),
  ...planForm,
  operator: checkField('Operator: can manage accounts and safety'),
};

/** Creates the routes with which operators list and create accounts. */
export function accountsRoutes(deps: PanelDeps): Route[] {
  const { accounts, signInLinks, clock } = deps;
  const show = async (context: PersonContext) => {
    const search = (context.url.searchParams.get('q') ?? '').trim();
    const found = await accounts.search(search.toLowerCase(), maxListed);
    const more = found.total - found.accounts.length;
    const totals = await accounts.totals();
    return page(
      context,
      'Accounts',
      <>
        <PageHead
          title="Accounts"
          beside={<span class="soft">{formatNumber(totals.accounts)}</span>}
        />
        <section class="card pad" aria-label="All accounts together">
          <Facts
            of={{
              Accounts: formatNumber(totals.accounts),
              Codes: formatNumber(totals.qrs),
              Scans: formatNumber(totals.scans),
            }}
          />
        </section>
        <div class="split">
          <ListCard title="All accounts">
            <Search
              label="Search by e-mail"
              button="Search"
              value={search}
              maxLength={maxEmailLength}
            />
            {found.accounts.length === 0 ? (
              <p class="pages small soft">No accounts found.</p>
            ) : (
              <ul class="list">
                {found.accounts.map((account) => (
                  <li key={account.id}>
                    <div class="what">
                      <Link class="name" to={`/account/accounts/${account.id}`}>
                        <bdi>{account.email}</bdi>
                      </Link>
                      <span class="small soft">
                        {formatCount(account.qrs, 'code')} · plan <PlanExpiry account={account} />
                      </span>
                    </div>
                    {account.hasSecondFactor && <span class="pill plain">Second factor</span>}
                    {account.isOperator && <span class="pill plain">Operator</span>}
                  </li>
                ))}
              </ul>
            )}
            {more > 0 && (
              <p class="pages small soft">
                {formatNumber(more)} more. Search to find {plural(more, 'it', 'them')}.
              </p>
            )}
          </ListCard>
          <Card title="New account">
            <FormView
              form={accountForm}
              to={`/account/accounts${context.url.search}`}
              class="stack"
            >
              <Submit>Create account</Submit>
              <p class="hint">You’ll get a one-time link for them to set a password.</p>
            </FormView>
          </Card>
        </div>
      </>,
    );
  };

  return [
    operator.get('/account/accounts', show),
    operator.submit(
      '/account/accounts',
      { form: accountForm, page: show, needsConfirmation: true },
      async (context, { email, plan: planUntilMs, operator: isOperator }) => {
        const by = { kind: 'operator', accountId: context.session.person.id } as const;
        const values = { email, planUntilMs, isOperator, passwordHash: null };
        const account = await accounts.create({ ...values, by, atMs: clock.nowMs() });
        if (account === 'taken') throw new InvalidInput(`There is already an account ${email}.`);
        audit(context, 'account created', { account: email, operator: isOperator });
        const link = await issueSignInLink(signInLinks, account, context);
        return showAccount(deps, context, { ...account, qrs: 0, hasSecondFactor: false }, link);
      },
    ),
  ];
}
