/** @jsxImportSource preact */
import type { ListedAccount } from '../../core/accounts/account.ts';
import { maxEmailLength, parseNewEmail } from '../../core/accounts/email.ts';
import { formatNumber, plural } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Card, ListCard } from '../ui/cards.tsx';
import { Facts, PageHead, PlanExpiry, Search, Time } from '../ui/components.tsx';
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
        >
          <a class="button" href="#new">
            New account
          </a>
        </PageHead>
        <section class="card pad" aria-label="All accounts together">
          <Facts
            of={{
              Accounts: formatNumber(totals.accounts),
              Codes: formatNumber(totals.qrs),
              Scans: formatNumber(totals.scans),
            }}
          />
        </section>
        <div class="stack">
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
              <AccountTable accounts={found.accounts} ownId={context.session.person.id} />
            )}
            {more > 0 && (
              <p class="pages small soft">
                {formatNumber(more)} more. Search to find {plural(more, 'it', 'them')}.
              </p>
            )}
          </ListCard>
          <Card title="New account" id="new">
            <FormView
              form={accountForm}
              to={`/account/accounts${context.url.search}`}
              class="stack narrow"
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
        const created = await accounts.create({ ...values, by, atMs: clock.nowMs() });
        if (created.outcome === 'taken')
          throw new InvalidInput(`There is already an account ${email}.`);
        const { account } = created;
        audit(context, 'account created', { account: email, operator: isOperator });
        const link = await issueSignInLink(signInLinks, account, context);
        return showAccount(deps, context, { ...account, qrs: 0, hasSecondFactor: false }, link);
      },
    ),
  ];
}

interface AccountTableProps {
  readonly accounts: readonly ListedAccount[];
  /** The account of the reader. */
  readonly ownId: number;
}

function AccountTable({ accounts, ownId }: AccountTableProps) {
  return (
    <table class="accounts">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" class="number">
            Codes
          </th>
          <th scope="col">Plan</th>
          <th scope="col" class="c-created">
            Created
          </th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr key={account.id}>
            <td>
              <Link class="name" to={`/account/accounts/${account.id}`}>
                <bdi>{account.email}</bdi>
              </Link>
              {account.businessName !== null && <bdi class="sub">{account.businessName}</bdi>}
              <span class="tags">
                {account.id === ownId && <span class="pill plain">Your account</span>}
                {account.isOperator && <span class="pill plain">Operator</span>}
                {account.hasSecondFactor && <span class="pill plain">Second factor</span>}
              </span>
            </td>
            <td class="number">
              {formatNumber(account.qrs)}
              <span class="phone-only">{plural(account.qrs, ' code', ' codes')}</span>
            </td>
            <td>
              <PlanExpiry account={account} />
            </td>
            <td class="c-created">
              <Time ms={account.createdAtMs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
