/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Account, ListedAccount } from '../../core/accounts/account.ts';
import type { CodesOfDeleted } from '../../core/accounts/ports.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { english } from '../../redirect/pages/languages/english.ts';
import { codeUseText } from '../../sentences/accounts.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { actingOn, audit, type PersonContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { operator, owner, type Route } from '../routing/route.ts';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import { choiceField, selectField, textField, verbatim } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { formatRelativeTime } from '../ui/formatting.ts';
import { Group } from '../ui/groups.tsx';
import { Link, Submit, useTexts } from '../ui/page-context.tsx';
import { ownPasswordForm, requirePresentPassword } from './confirmation.ts';
import { findAccount } from './find-account.ts';

// More do not fit into a list to choose from. The command line names any.
const maxRecipients = 1000;

/** Creates the routes that delete an account: by an operator, or by its owner. */
export function deleteRoutes(deps: PanelDeps): Route[] {
  const { accounts: store, deletion, signIn, lastBackupMs } = deps;

  /** Returns who may get the codes. Only operators may give any: others must not learn who has an account. */
  const recipientsOf = async (context: PersonContext, account: ListedAccount) => {
    const isOperator = context.session.person.isOperator;
    const { accounts } = isOperator ? await store.search('', maxRecipients) : { accounts: [] };
    return accounts.filter(({ id }) => id !== account.id);
  };
  const formOf = async (context: PersonContext, account: ListedAccount) => {
    const others = await recipientsOf(context, account);
    const isOwn = account.id === context.session.person.id;
    const named = others.map((one) => ({ id: one.id, name: nameOf(context, one) }));
    return {
      ...deletionForm(context.texts, account, named, isOwn),
      ...(isOwn && ownPasswordForm(context)),
    };
  };

  /** Creates the routes of a page that deletes an account, below the page `above`. */
  const routesOf = (
    { get, submit }: typeof operator,
    above: string,
    find: (context: PersonContext) => Promise<ListedAccount>,
    needsConfirmation: boolean | 'without password',
  ) => {
    const path = `${above}/delete`;
    const show = async (context: PersonContext) => {
      const account = await find(context);
      const { email, qrs } = account;
      const to = context.url.pathname;
      const ago = (ms: number) => formatRelativeTime(ms, context);
      const backupMs = await lastBackupMs();
      const isOwn = account.id === context.session.person.id;
      const form = await formOf(context, account);
      const typed = context.sent?.text('recipient');
      const recipient = (await recipientsOf(context, account)).find(
        ({ id }) => String(id) === typed,
      );
      const { texts } = context;
      const t = texts.deletion;
      const title = isOwn ? t.ownTitle({ email }) : t.title({ email });
      const newest = backupMs !== null && backupMs <= context.nowMs ? backupMs : null;
      return page(
        context,
        title,
        <DialogPage title={title}>
          <p>{codeUseText(texts, await deletion.useOf(account.id), isOwn, ago)}</p>
          <FormView form={form} to={to} class="deletion">
            <p class="hint">
              {newest === null ? t.cannotUndo : t.cannotUndoBackup({ when: ago(newest) })}
            </p>
            <DialogActions back={to.replace(/\/delete$/, '')}>
              <Submit class="button destroy">
                {qrs === 0 ? (
                  t.deleteAccount
                ) : (
                  <>
                    <span class="if-given">
                      {t.deleteAndGive({
                        codes: qrs,
                        recipient: (
                          <bdi data-mirrors="recipient" data-empty={t.chosenAccount}>
                            {recipient === undefined ? t.chosenAccount : nameOf(context, recipient)}
                          </bdi>
                        ),
                      })}
                    </span>
                    <span class="if-kept">{t.deleteAndKeep({ codes: qrs })}</span>
                    <span class="if-stopped">{t.deleteAndStop({ codes: qrs })}</span>
                  </>
                )}
              </Submit>
            </DialogActions>
          </FormView>
        </DialogPage>,
      );
    };
    const form = async (context: PersonContext) => formOf(context, await find(context));
    return [
      get(path, show),
      submit(path, { form, page: show, needsConfirmation }, async (context, values) => {
        const account = await find(context);
        if (account.id === context.session.person.id)
          await requirePresentPassword(signIn, context, values.password);
        const { codes: kind = 'keep', recipient } = values;
        if (kind === 'give' && recipient === undefined)
          throw invalidField('recipient', (t) => t.deletion.chooseRecipient);
        const codes: CodesOfDeleted =
          kind === 'give' && recipient !== undefined
            ? { kind, to: recipient, by: actingOn(context, recipient).by }
            : { kind: kind === 'stop' ? 'stop' : 'keep' };
        await deletion.delete(account, codes, actingOn(context, account.id).by);
        audit(context, 'account deleted', { account: account.email, codes: kind });
        const isSignedOut = account.id === context.session.person.id;
        const next = isSignedOut ? '/account/sign-in' : '/account/accounts';
        const message = { kind: 'accountDeleted', isOwn: isSignedOut } as const;
        return redirectTo(context, next, message, { isSignedOut });
      }),
    ];
  };

  return [
    ...routesOf(operator, '/account/accounts/:id', (context) => findAccount(store, context), true),
    ...routesOf(
      owner,
      '/account/settings',
      async ({ session: { person } }) => ({
        ...((await store.find(person.id)) ?? { ...person, qrs: 0, hasSecondFactor: false }),
      }),
      // The form has the password.
      'without password',
    ),
  ];
}

/** Returns what somebody calls an account that gets codes. */
function nameOf({ session, texts }: PersonContext, { id, email }: Account): string {
  return id === session.person.id ? texts.deletion.yourAccount({ email }) : email;
}

/** @param recipients accounts that may get the codes */
function deletionForm(
  { deletion: t }: Texts,
  { email, qrs }: ListedAccount,
  recipients: readonly { readonly id: number; readonly name: string }[],
  isOwn: boolean,
) {
  const codes = qrs;
  const canGive = recipients.length > 0;
  const choices = [
    {
      value: 'give',
      title: isOwn ? t.giveYours({ codes }) : t.giveIts({ codes }),
      text: t.given({ codes }),
    },
    {
      value: 'keep',
      title: isOwn ? t.keepYours({ codes }) : t.keepIts({ codes }),
      text: t.kept({ codes }),
    },
    {
      value: 'stop',
      title: isOwn ? t.stopYours({ codes }) : t.stopIts({ codes }),
      text: t.stopped({ codes, title: english.stoppedTitle }),
    },
  ] as const;
  const offered = choices.filter(({ value }) => canGive || value !== 'give');
  return {
    ...(qrs > 0 && {
      codes: choiceField({
        label: isOwn ? t.whatHappensToYours : t.whatHappensToIts,
        choices: offered,
        parse: (text) => {
          const choice = offered.find(({ value }) => value === text);
          if (choice === undefined) throw new InvalidInput(t.chooseWhatHappens);
          return choice.value;
        },
      }),
      ...(canGive && {
        recipient: selectField({
          label: t.recipient({ codes }),
          options: [
            { value: '', text: t.chooseAccount },
            ...recipients.map(({ id, name }) => ({ value: String(id), text: name })),
          ],
          // Nobody is needed for codes that are not given.
          parse: (text) => {
            if (text === '') return undefined;
            const recipient = recipients.find(({ id }) => String(id) === text);
            if (recipient === undefined) throw new InvalidInput(t.chooseOfList);
            return recipient.id;
          },
        }),
      }),
    }),
    email: textField({
      label: t.typeEmail({ email }),
      parse: (text) => {
        if (text.trim().toLowerCase() !== email)
          throw new InvalidInput(t.typeEmailAgain({ email }));
        return email;
      },
      ...verbatim,
      required: true,
    }),
  };
}

interface DeleteGroupProps {
  readonly to: string;
  readonly text: string;
  /** Label of the button that leads to the deletion. */
  readonly button: string;
  /** What is lost. */
  readonly children: ComponentChildren;
}

/** The part of settings that leads to the deletion. */
export function DeleteGroup({ to, text, button, children }: DeleteGroupProps) {
  return (
    <Group title={useTexts().deletion.delete} text={text}>
      <div class="pad stack tight">
        <p>{children}</p>
        <div>
          <Link class="button danger" to={to} data-dialog icon="remove">
            {button}
          </Link>
        </div>
      </div>
    </Group>
  );
}
