/** @jsxImportSource preact */
import type { ListedAccount } from '../../core/accounts/operators.ts';
import type { PanelDeps } from '../deps.ts';
import { pageNotFound } from '../routing/errors.ts';
import type { Form } from '../routing/forms.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
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
  const list = async (context: SignedInContext, refusal: Refusal | null = null) => {
    const search = (context.url.searchParams.get('q') ?? '').trim();
    const { accounts, total } = await operators.search(search, listed);
    return page(
      context,
      { title: 'Accounts', section: 'accounts', status: refusal === null ? 200 : 422 },
      <AccountsPage
        accounts={accounts}
        more={total - accounts.length}
        totals={await operators.totals()}
        search={search}
        nowMs={context.nowMs}
        {...refusal}
      />,
    );
  };

  const one = (
    context: SignedInContext,
    account: ListedAccount,
    said: { link?: string; done?: string; refused?: RefusedPlan } = {},
  ) =>
    page(
      context,
      {
        title: account.email,
        section: 'accounts',
        status: said.refused === undefined ? 200 : 422,
      },
      <AccountPage
        account={account}
        nowMs={context.nowMs}
        link={said.link ?? null}
        done={said.done ?? null}
        refused={said.refused ?? null}
      />,
    );

  const named = async (params: Readonly<Record<string, string>>) => {
    const id = params['id'] ?? '';
    const account = /^\d{1,15}$/.test(id) ? await operators.find(Number(id)) : null;
    if (account === null) throw pageNotFound();
    return account;
  };

  const withLink = async (context: SignedInContext, account: ListedAccount, done?: string) => {
    const token = await links.issue(account.id);
    const link = `${context.publicUrl}/account/link/${token}`;
    return one(context, account, { link, ...(done !== undefined && { done }) });
  };

  return [
    {
      method: 'GET',
      path: '/account/accounts',
      who: 'operator',
      answer: (context) => list(context),
    },
    {
      method: 'POST',
      path: '/account/accounts',
      who: 'operator',
      answer: async (context, _params, form) => {
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
        if ('problem' in created) return list(context, { typed, refused: created });
        const { id } = created.account;
        // Shown at once, because whoever makes an account wants to hand it out.
        return withLink(context, await named({ id: String(id) }), 'The account is created.');
      },
    },
    {
      method: 'GET',
      path: '/account/accounts/:id',
      who: 'operator',
      answer: async (context, params) => {
        const done = doneTexts[context.url.searchParams.get('done') ?? ''];
        return one(context, await named(params), done === undefined ? {} : { done });
      },
    },
    {
      method: 'POST',
      path: '/account/accounts/:id/plan',
      who: 'operator',
      answer: async (context, params, form) => {
        const account = await named(params);
        const problem = await operators.changePlan(account.id, planEndOf(form));
        if (problem !== null)
          return one(context, account, { refused: { typed: form.text('plan'), problem } });
        return redirectTo(context, `/account/accounts/${account.id}?done=plan`);
      },
    },
    {
      method: 'POST',
      path: '/account/accounts/:id/link',
      who: 'operator',
      answer: async (context, params) => {
        return withLink(context, await named(params));
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
