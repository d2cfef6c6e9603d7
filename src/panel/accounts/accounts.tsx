/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { ListedAccount } from '../../core/accounts/account.ts';
import { maxEmailLength, parseNewEmail } from '../../core/accounts/email.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { page } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Card, ListCard } from '../ui/cards.tsx';
import { Facts, PageHead, PlanExpiry, Search, Time } from '../ui/components.tsx';
import { checkField, emailField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { Link, Submit, useTexts } from '../ui/page-context.tsx';
import { issueSignInLink, planForm, showAccount } from './account.tsx';

const maxListed = 200;

const accountForm = {
  email: emailField({ parse: parseNewEmail, autocomplete: 'off' }),
  ...planForm,
  operator: checkField((t) => t.accounts.mayManage),
};

/** Creates the routes with which operators list and create accounts. */
export function accountsRoutes(deps: PanelDeps): Route[] {
  const { accounts, signInLinks, clock } = deps;
  const show = async (context: PersonContext) => {
    const search = (context.url.searchParams.get('q') ?? '').trim();
    const found = await accounts.search(search.toLowerCase(), maxListed);
    const more = found.total - found.accounts.length;
    const totals = await accounts.totals();
    const { accounts: t, formats } = context.texts;
    return page(
      context,
      t.title,
      <>
        <PageHead
          title={t.title}
          beside={<span class="soft">{formats.number(totals.accounts)}</span>}
        >
          <a class="button" href="#new">
            {t.newAccount}
          </a>
        </PageHead>
        <section class="card pad" aria-label={t.allTogether}>
          <Facts
            of={{
              [t.title]: formats.number(totals.accounts),
              [t.codes]: formats.number(totals.qrs),
              [t.scans]: formats.number(totals.scans),
            }}
          />
        </section>
        <div class="stack">
          <ListCard title={t.all}>
            <Search
              label={t.searchByEmail}
              button={t.search}
              value={search}
              maxLength={maxEmailLength}
            />
            {found.accounts.length === 0 ? (
              <p class="pages small soft">{t.noneFound}</p>
            ) : (
              <AccountTable accounts={found.accounts} ownId={context.session.person.id} />
            )}
            {more > 0 && <p class="pages small soft">{t.more({ more })}</p>}
          </ListCard>
          <Card title={t.newAccount} id="new">
            <FormView
              form={accountForm}
              to={`/account/accounts${context.url.search}`}
              class="stack narrow"
            >
              <Submit>{t.create}</Submit>
              <p class="hint">{t.youGetLink}</p>
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
        if (created.outcome === 'taken') throw new InvalidInput((t) => t.accounts.taken({ email }));
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
  const t = useTexts().accounts;
  return (
    <table class="accounts">
      <thead>
        <tr>
          <th scope="col">{t.account}</th>
          <th scope="col" class="number">
            {t.codes}
          </th>
          <th scope="col">{t.plan}</th>
          <th scope="col" class="c-created">
            {t.created}
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
                {account.id === ownId && <span class="pill plain">{t.yours}</span>}
                {account.isOperator && <span class="pill plain">{t.operator}</span>}
                {account.hasSecondFactor && <span class="pill plain">{t.secondFactor}</span>}
              </span>
            </td>
            <td class="number">
              {t.codeCount<ComponentChildren>({
                codes: account.qrs,
                word: (text) => <span class="phone-only"> {text}</span>,
              })}
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
