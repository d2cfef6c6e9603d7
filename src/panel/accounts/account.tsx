/** @jsxImportSource preact */
import type { Account, ListedAccount } from '../../core/accounts/account.ts';
import { type SignInLinks, signInLinkLifetimeMs } from '../../core/accounts/sign-in-link.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../routing/audit.ts';
import { PanelError, pageNotFound } from '../routing/errors.tsx';
import type { FormFields } from '../routing/forms.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { operator, type Route } from '../routing/route.ts';
import { Copyable, Fact, PlanExpiry, Time } from '../ui/components.tsx';
import { Field } from '../ui/fields.tsx';
import { formatNumber } from '../ui/formatting.ts';
import { Form } from '../ui/page-context.tsx';

/** Creates the routes with which operators manage one account. */
export function accountRoutes({ operators, links }: PanelDeps): Route[] {
  const findAccount = async ({ params: { id = '' } }: SignedInContext) => {
    const account = /^\d{1,15}$/.test(id) ? await operators.find(Number(id)) : null;
    if (account === null) throw pageNotFound();
    return account;
  };
  const show = (context: SignedInContext, account: ListedAccount, link: string | null) =>
    page(context, account.email, <AccountPage account={account} link={link} />);

  return [
    operator.get('/account/accounts/:id', async (context) =>
      show(context, await findAccount(context), null),
    ),
    operator.post('/account/accounts/:id/plan', async (context, form) => {
      const { id, email } = await findAccount(context);
      const end = planEndOf(form);
      const problem = await operators.changePlan(id, end);
      if (problem !== null) throw new PanelError(422, 'The plan was not changed', problem);
      audit(context, 'plan changed', { account: email, until: end });
      return redirectTo(context, `/account/accounts/${id}?done=plan`);
    }),
    operator.post('/account/accounts/:id/link', async (context) => {
      const account = await findAccount(context);
      const link = await issueSignInLink(links, account, context.publicUrl);
      audit(context, 'one-time link issued', { account: account.email });
      return show(context, account, link);
    }),
  ];
}

/** Issues a one-time link for setting an account's password. */
export async function issueSignInLink(
  links: SignInLinks,
  account: Account,
  publicUrl: string,
): Promise<string> {
  return `${publicUrl}/account/link/${await links.issue(account.id)}`;
}

/** Reads the last day of a plan from a form, for `parsePlanEnd`: `never` if it is empty. */
export function planEndOf(form: FormFields): string {
  return form.text('plan').trim() || 'never';
}

interface AccountProps {
  readonly account: ListedAccount;
  /** A new sign-in link, which is shown only once, or null. */
  readonly link: string | null;
}

export function AccountPage({ account, link }: AccountProps) {
  const { email, planUntilMs } = account;
  const path = `/account/accounts/${account.id}`;
  return (
    <>
      <h1>{email}</h1>
      {link !== null && <NewLink email={email} link={link} />}
      <dl class="facts">
        <Fact name="Codes">{formatNumber(account.qrs)}</Fact>
        <Fact name="Created">
          <Time ms={account.createdAtMs} />
        </Fact>
        <Fact name="Plan">
          <PlanExpiry account={account} />
        </Fact>
      </dl>
      <div class="columns">
        <section class="card">
          <h2>Plan</h2>
          <Form to={`${path}/plan`} class="stack">
            <PlanField
              value={planUntilMs === null ? '' : new Date(planUntilMs).toISOString().slice(0, 10)}
            />
            <button type="submit">Save plan</button>
          </Form>
        </section>
        <section class="card">
          <h2>Sign-in link</h2>
          <p>
            Creates a one-time link for {email} to set a new password. Setting it signs them out
            everywhere else. A new link replaces an earlier one.
          </p>
          <Form to={`${path}/link`}>
            <button type="submit" class="quiet">
              Create sign-in link
            </button>
          </Form>
        </section>
      </div>
    </>
  );
}

function NewLink({ email, link }: { email: string; link: string }) {
  return (
    <section class="card highlight" aria-labelledby="link-title">
      <h2 id="link-title">Sign-in link</h2>
      <p>
        Send it to {email} over a channel you trust: anyone who opens it can set the password. It
        works once and expires in {signInLinkLifetimeMs / 86_400_000} days, or when the password is
        changed. It is shown <b>only this once</b>.
      </p>
      <Copyable label="the link" text={link} />
    </section>
  );
}

/** The field for the last day of a plan. */
export function PlanField({ value }: { value: string }) {
  return (
    <Field
      id="plan"
      label="Last day of the plan"
      hint="In UTC. Leave empty if the plan doesn’t expire."
      type="date"
      value={value}
    />
  );
}
