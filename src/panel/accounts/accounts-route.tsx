/** @jsxImportSource preact */
import type { ListedAccount } from '../../core/accounts/operators.ts';
import type { PanelDeps } from '../deps.ts';
import { noSuchPage } from '../routing/errors.ts';
import type { Form } from '../routing/forms.ts';
import type { HolderVisit } from '../routing/request.ts';
import { goTo, page } from '../routing/responses.tsx';
import type { Route } from '../routing/router.ts';
import { AccountPage, type RefusedPlan } from './account-page.tsx';
import { AccountsPage, type Complaint, type NewAccount } from './accounts-page.tsx';

const listed = 200;

interface Refusal {
  readonly typed: NewAccount;
  readonly refused: Complaint;
}

/** What operators do with the accounts of others. */
export function accountRoutes({ operators, links }: PanelDeps): Route[] {
  const list = async (visit: HolderVisit, refusal: Refusal | null = null) => {
    const search = (visit.url.searchParams.get('q') ?? '').trim();
    const { accounts, total } = await operators.search(search, listed);
    return page(
      visit,
      { title: 'Accounts', section: 'accounts', status: refusal === null ? 200 : 422 },
      <AccountsPage
        accounts={accounts}
        more={total - accounts.length}
        totals={await operators.totals()}
        search={search}
        nowMs={visit.nowMs}
        {...refusal}
      />,
    );
  };

  const one = (
    visit: HolderVisit,
    account: ListedAccount,
    said: { link?: string; done?: string; refused?: RefusedPlan } = {},
  ) =>
    page(
      visit,
      {
        title: account.email,
        section: 'accounts',
        status: said.refused === undefined ? 200 : 422,
      },
      <AccountPage
        account={account}
        nowMs={visit.nowMs}
        link={said.link ?? null}
        done={said.done ?? null}
        refused={said.refused ?? null}
      />,
    );

  const named = async (params: Readonly<Record<string, string>>) => {
    const id = params['id'] ?? '';
    const account = /^\d{1,15}$/.test(id) ? await operators.find(Number(id)) : null;
    if (account === null) throw noSuchPage();
    return account;
  };

  const withLink = async (visit: HolderVisit, account: ListedAccount, done?: string) => {
    const token = await links.issue(account.id);
    const link = `${visit.publicUrl}/account/link/${token}`;
    return one(visit, account, { link, ...(done !== undefined && { done }) });
  };

  return [
    {
      method: 'GET',
      path: '/account/accounts',
      who: 'operator',
      answer: (visit) => list(visit),
    },
    {
      method: 'POST',
      path: '/account/accounts',
      who: 'operator',
      answer: async (visit, _params, form) => {
        const typed = {
          email: form.text('email'),
          plan: form.text('plan'),
          operator: form.text('operator') === 'yes',
        };
        const created = await operators.create({
          email: typed.email,
          planEnd: planEndOf(form),
          isOperator: typed.operator,
        });
        if ('problem' in created) return list(visit, { typed, refused: created });
        const { id } = created.account;
        // Shown at once, because whoever makes an account wants to hand it out.
        return withLink(visit, await named({ id: String(id) }), 'The account is created.');
      },
    },
    {
      method: 'GET',
      path: '/account/accounts/:id',
      who: 'operator',
      answer: async (visit, params) => {
        const done = doneTexts[visit.url.searchParams.get('done') ?? ''];
        return one(visit, await named(params), done === undefined ? {} : { done });
      },
    },
    {
      method: 'POST',
      path: '/account/accounts/:id/plan',
      who: 'operator',
      answer: async (visit, params, form) => {
        const account = await named(params);
        const problem = await operators.changePlan(account.id, planEndOf(form));
        if (problem !== null)
          return one(visit, account, { refused: { typed: form.text('plan'), problem } });
        return goTo(visit, `/account/accounts/${account.id}?done=plan`);
      },
    },
    {
      method: 'POST',
      path: '/account/accounts/:id/link',
      who: 'operator',
      answer: async (visit, params) => {
        return withLink(visit, await named(params));
      },
    },
  ];
}

const doneTexts: Readonly<Record<string, string>> = {
  plan: 'The plan is set.',
};

/** An empty field is a plan without end. */
function planEndOf(form: Form): string {
  return form.text('plan').trim() || 'never';
}
