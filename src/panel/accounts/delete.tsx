/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import type { Account, ListedAccount } from '../../core/accounts/account.ts';
import { codeUseText } from '../../core/accounts/deletion.ts';
import type { CodesOfDeleted } from '../../core/accounts/ports.ts';
import { stoppedCodeTitle } from '../../core/codes/qr.ts';
import { InvalidInput } from '../../core/errors.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import { audit } from '../request/audit.ts';
import type { SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { operator, type Route, signedIn } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { DialogActions, DialogPage } from '../ui/components.tsx';
import { choiceField, selectField, textField } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { formatRelativeTime } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { Link } from '../ui/page-context.tsx';
import { presentPasswordField, requirePresentPassword } from './confirmation.ts';
import { findAccount } from './find-account.ts';

// More do not fit into a list to choose from. The command line names any.
const maxRecipients = 1000;
/** An account with many codes takes minutes. */
const waitsFor = 'Deleting the account';

/** Creates the routes that delete an account: by an operator, or by its owner. */
export function deleteRoutes(deps: PanelDeps): Route[] {
  const { accounts: store, deletion, signIn, lastBackupMs } = deps;

  /** Returns the form. Only operators may give codes away: others must not learn who has an account. */
  const formOf = async (context: SignedInContext, account: ListedAccount) => {
    const isOperator = context.session.account.isOperator;
    const { accounts } = isOperator ? await store.search('', maxRecipients) : { accounts: [] };
    return deletionForm(
      account,
      accounts.filter(({ id }) => id !== account.id),
    );
  };
  const show = async (context: SignedInContext, account: ListedAccount, back: string) => {
    const { email } = account;
    const backupMs = await lastBackupMs();
    return page(
      context,
      `Delete ${email}?`,
      <DialogPage title={`Delete ${email}?`}>
        <p>{codeUseText(await deletion.useOf(account.id), relativeTo(context))}</p>
        <FormView form={await formOf(context, account)} to={`${back}/delete`} class="deletion">
          <p class="hint">
            This can’t be undone.
            {backupMs !== null &&
              ` The newest backup is from ${formatRelativeTime(backupMs, context.nowMs)}.`}
          </p>
          <DialogActions back={back}>
            <button type="submit" class="button destroy">
              {account.qrs === 0 ? (
                'Delete account'
              ) : (
                <>
                  <span class="if-kept">Delete account, keep codes</span>
                  <span class="if-stopped">
                    Delete account and {formatCount(account.qrs, 'code')}
                  </span>
                </>
              )}
            </button>
          </DialogActions>
        </FormView>
      </DialogPage>,
    );
  };
  const remove = async (
    context: SignedInContext,
    account: Account,
    values: { codes?: CodesOfDeleted['kind']; recipient?: number; password: string },
  ) => {
    await requirePresentPassword(signIn, context, values.password);
    const { codes: kind = 'keep', recipient } = values;
    if (kind === 'give' && recipient === undefined)
      throw invalidField('codes', 'There is no account to give the codes to.');
    await deletion.delete(
      account,
      kind === 'give' && recipient !== undefined
        ? { kind, to: recipient }
        : { kind: keptKind(kind) },
    );
    audit(context, 'account deleted', { account: account.email, codes: kind });
  };

  const ownAccount = async ({ session }: SignedInContext): Promise<ListedAccount> =>
    (await store.find(session.account.id)) ?? {
      ...session.account,
      qrs: 0,
      hasSecondFactor: false,
    };
  const byOperator = (context: SignedInContext) => findAccount(store, context);
  const settings = '/account/settings';
  const pathOf = ({ id }: Account) => `/account/accounts/${id}`;
  const showToOperator = async (context: SignedInContext) => {
    const account = await byOperator(context);
    return show(context, account, pathOf(account));
  };
  const showToOwner = async (context: SignedInContext) =>
    show(context, await ownAccount(context), settings);

  return [
    operator.get('/account/accounts/:id/delete', showToOperator),
    operator.submit(
      '/account/accounts/:id/delete',
      {
        form: async (context) => formOf(context, await byOperator(context)),
        page: showToOperator,
        waitsFor,
      },
      async (context, values) => {
        const account = await byOperator(context);
        await remove(context, account, values);
        const isOwn = account.id === context.session.account.id;
        return redirectTo(context, isOwn ? '/account/sign-in' : '/account/accounts', {
          message: { kind: 'accountDeleted' },
          isSignedOut: isOwn,
        });
      },
    ),
    signedIn.get('/account/settings/delete', showToOwner),
    signedIn.submit(
      '/account/settings/delete',
      {
        form: async (context) => formOf(context, await ownAccount(context)),
        page: showToOwner,
        waitsFor,
      },
      async (context, values) => {
        await remove(context, context.session.account, values);
        return redirectTo(context, '/account/sign-in', {
          message: { kind: 'accountDeleted' },
          isSignedOut: true,
        });
      },
    ),
  ];
}

const relativeTo =
  ({ nowMs }: SignedInContext) =>
  (ms: number) =>
    formatRelativeTime(ms, nowMs);

const keptKind = (kind: CodesOfDeleted['kind']) => (kind === 'stop' ? 'stop' : 'keep');

/** @param recipients accounts that may get the codes */
function deletionForm({ email, qrs }: ListedAccount, recipients: readonly Account[]) {
  const codes = formatCount(qrs, 'code');
  const canGive = recipients.length > 0;
  const choices = [
    {
      value: 'give',
      title: `Give its ${codes} to another account`,
      text: 'They keep working. Their designs, names and scans move with them.',
    },
    {
      value: 'keep',
      title: `Keep its ${codes} working, without an owner`,
      text: 'They redirect as they are, for ever. Nobody can change them, and their names are removed.',
    },
    {
      value: 'stop',
      title: `Stop its ${codes}`,
      text: `People who scan them read “${stoppedCodeTitle}”, for ever.`,
    },
  ] as const;
  const offered = choices.filter(({ value }) => canGive || value !== 'give');
  return {
    ...(qrs > 0 && {
      codes: choiceField({
        label: 'What becomes of its codes',
        choices: offered,
        parse: (text) => {
          const choice = offered.find(({ value }) => value === text);
          if (choice === undefined) throw new InvalidInput('Choose what becomes of the codes.');
          return choice.value;
        },
      }),
      ...(canGive && {
        recipient: selectField({
          label: 'Account that gets them',
          options: recipients.map((one) => ({ value: String(one.id), text: one.email })),
          parse: (text) => {
            const recipient = recipients.find(({ id }) => String(id) === text);
            if (recipient === undefined) throw new InvalidInput('Choose an account of the list.');
            return recipient.id;
          },
        }),
      }),
    }),
    email: textField({
      label: `Type ${email} to confirm`,
      parse: (text) => {
        if (text.trim().toLowerCase() !== email)
          throw new InvalidInput(`Type ${email} to confirm that you mean this account.`);
        return email;
      },
      autocomplete: 'off',
      autocapitalize: 'none',
      spellcheck: false,
      required: true,
    }),
    password: presentPasswordField('Your password'),
  };
}

/** The card that leads to the deletion. Its content says what is lost. */
export function DeleteCard({ to, children }: { to: string; children: ComponentChildren }) {
  return (
    <Card title="Delete this account">
      <p>{children}</p>
      <div>
        <Link class="button danger" to={to} data-dialog>
          <Icon name="remove" />
          Delete…
        </Link>
      </div>
    </Card>
  );
}
