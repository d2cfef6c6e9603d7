/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { confirmationLifetimeMs } from '../../core/accounts/session.ts';
import type { PanelDeps } from '../request/deps.ts';
import { ownPath } from '../request/own-path.ts';
import { audit, type PersonContext } from '../request/request.ts';
import { type PageResponse, page, redirectTo } from '../routing/responses.tsx';
import { person, type Route } from '../routing/route.ts';
import { DialogActions, DialogPage, FormDialog } from '../ui/dialog.tsx';
import { hiddenField } from '../ui/fields.tsx';
import { shownAgain } from '../ui/form.tsx';
import {
  codeField,
  presentPasswordField,
  requireCode,
  requirePresentPassword,
} from './confirmation.ts';
import { DoneButton, ProviderButton, startOf } from './provider/pages.tsx';
import { inDialog, inPage } from './sign-in.tsx';

const path = '/account/confirm';
const lifetimeMinutes = confirmationLifetimeMs / 60_000;

/** The page to go back to. The form that was refused is sent again from there. */
const next = hiddenField(ownPath);
const passwordForm = { next, password: presentPasswordField((t) => t.fields.yourPassword) };
const codeForm = { next, code: codeField() };

/** Creates the route that confirms who is signed in, for forms with `needsConfirmation`. */
export function confirmRoutes(deps: PanelDeps): Route[] {
  const { signIn, sessions } = deps;
  return [
    person.submit(
      path,
      {
        form: async ({ session }: PersonContext) =>
          (await signIn.confirmedBy(session.person)) === 'code' ? codeForm : passwordForm,
        page: (context) => showConfirm(context, deps),
      },
      async (context, values) => {
        if ('code' in values) await requireCode(signIn, context, values.code);
        else await requirePresentPassword(signIn, context, values.password);
        await sessions.confirm(context.sessionToken);
        audit(context, 'identity confirmed');
        return redirectTo(context, values.next, { kind: 'confirmed' });
      },
    ),
    // It was confirmed in another tab.
    person.post(`${path}/done`, async (context, form) =>
      context.session.isConfirmed
        ? redirectTo(context, ownPath(form.text('next')), { kind: 'confirmed' })
        : showConfirm({ ...context, rejected: shownAgain(context, form, 401) }, deps),
    ),
  ];
}

/**
 * Renders the question who is signed in, for a form that needs it: 401.
 * The script shows it over the form.
 */
export async function showConfirm(
  context: PersonContext,
  { signIn, identities }: Pick<PanelDeps, 'signIn' | 'identities'>,
): Promise<PageResponse> {
  const { session, rejected, url, texts: t } = context;
  const { title } = t.confirm;
  const { provider } = identities;
  const by = await signIn.confirmedBy(session.person);
  const isProvided = by === null && (await identities.ofAccount(session.person.id)) !== null;
  const back = ownPath(rejected?.typed.text('next') ?? url.pathname);
  return page(
    context,
    title,
    by === null ? (
      <DialogPage title={title}>
        {provider !== null && isProvided ? (
          <>
            <p class="soft">
              {t.confirm.atProvider<ComponentChildren>({
                minutes: lifetimeMinutes,
                provider: provider.name,
                dialog: inDialog,
                page: inPage,
              })}
            </p>
            <ProviderButton name={provider.name} to={startOf(back, 'confirm')} isInNewTab />
            <DoneButton to={`${path}/done`} next={back}>
              {t.confirm.sendMyForm}
            </DoneButton>
          </>
        ) : (
          <p>{t.confirm.noPassword({ minutes: lifetimeMinutes })}</p>
        )}
        <DialogActions back={back} />
      </DialogPage>
    ) : (
      // In a tab of its own, so that Back leads from this answer to the form. The script needs none.
      <FormDialog
        title={title}
        form={by === 'code' ? codeForm : passwordForm}
        to={path}
        values={{ next: back }}
        back={back}
        button={t.confirm.button}
        target="_blank"
        class="stack"
      >
        <p class="soft">
          {t.confirm.why<ComponentChildren>({
            minutes: lifetimeMinutes,
            dialog: inDialog,
            page: inPage,
          })}
        </p>
      </FormDialog>
    ),
    rejected?.status ?? 401,
  );
}
