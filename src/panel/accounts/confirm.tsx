/** @jsxImportSource preact */
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

const path = '/account/confirm';
const title = 'Confirm that it’s you';
const lifetimeMinutes = confirmationLifetimeMs / 60_000;

/** The page to go back to. The form that was refused is sent again from there. */
const next = hiddenField(ownPath);
const passwordForm = { next, password: presentPasswordField('Your password') };
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
  const { session, rejected, url } = context;
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
              You are asked once in {lifetimeMinutes} minutes. Your account has no password here, so
              sign in at {provider.name} again.{' '}
              <span class="in-dialog">Your changes are kept.</span>
              <span class="in-page">Nothing was changed. Then press Back and send it again.</span>
            </p>
            <ProviderButton name={provider.name} to={startOf(back, 'confirm')} isInNewTab />
            <DoneButton to={`${path}/done`} next={back}>
              I have confirmed: send my form
            </DoneButton>
          </>
        ) : (
          <p>
            Your account has no password. Sign out and in again, and send the form within{' '}
            {lifetimeMinutes} minutes.
          </p>
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
        button="Confirm"
        target="_blank"
        class="stack"
      >
        <p class="soft">
          You are asked once in {lifetimeMinutes} minutes, so that nobody does this who only found
          your browser open. <span class="in-dialog">Your changes are kept.</span>
          <span class="in-page">
            Nothing was changed. Confirm, then press Back and send it again.
          </span>
        </p>
      </FormDialog>
    ),
    rejected?.status ?? 401,
  );
}
