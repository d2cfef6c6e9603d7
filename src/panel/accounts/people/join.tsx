/** @jsxImportSource preact */
import type { OpenInvitation } from '../../../core/accounts/people/ports.ts';
import type { PanelDeps } from '../../request/deps.ts';
import { audit, type RequestContext } from '../../request/request.ts';
import { PanelError } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { anyone, person, type Route } from '../../routing/route.ts';
import { accountName } from '../../ui/account-menu.tsx';
import { DoorCard } from '../../ui/cards.tsx';
import { Username } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { ButtonLink, PostButton, Submit, useTexts } from '../../ui/page-context.tsx';
import { adoptLanguage } from '../language.tsx';
import { firstPasswordField } from '../link.tsx';
import { ProviderButton, startOf } from '../provider/pages.tsx';
import { clientOf, passwordsOff } from '../sign-in.tsx';
import { adoptZone, guessedZoneField } from '../time-zone.tsx';

const path = '/account/join/:token';

const passwordForm = {
  password: firstPasswordField(true),
  zone: guessedZoneField,
};

/**
 * Creates the routes of invitations.
 * Opening one changes nothing: mail programs and chats open links too.
 */
export function joinRoutes(deps: PanelDeps): Route[] {
  const { people, sessions } = deps;
  const invalidInvitation = () =>
    new PanelError(
      410,
      (t) => t.join.invalid,
      (t) => t.join.invalidWhy,
    );
  const find = async ({ params: { token = '' } }: RequestContext): Promise<OpenInvitation> => {
    const invitation = await people.find(token);
    if (invitation === null) throw invalidInvitation();
    return invitation;
  };
  const show = async (context: RequestContext) => {
    const invitation = await find(context);
    const title = context.texts.join.title({ account: accountName(invitation.account) });
    return page(
      context,
      title,
      context.session === null ? (
        <DoorCard title={title} text={<Inviting invitation={invitation} />}>
          <WayIn invitation={invitation} context={context} deps={deps} />
        </DoorCard>
      ) : (
        <section class="card pad stack tight narrow">
          <h1>{title}</h1>
          <p class="soft">
            <Inviting invitation={invitation} />
          </p>
          <WayIn invitation={invitation} context={context} deps={deps} />
        </section>
      ),
    );
  };

  return [
    anyone.get(path, show),
    anyone.submit(path, { form: passwordForm, page: show }, async (context, values) => {
      if (!deps.hasPasswords) throw passwordsOff();
      const { token = '' } = context.params;
      const client = clientOf(context);
      const joined = await people.createAndJoin(token, values.password, client);
      switch (joined.outcome) {
        case 'gone':
          throw invalidInvitation();
        case 'has account':
          // The page says that its owner signs in, then accepts.
          return show(context);
        case 'joined':
          break;
      }
      if (context.sessionToken !== null) await sessions.end(context.sessionToken);
      audit(context, 'invitation accepted', { account: joined.person.email, new_account: true });
      await adoptLanguage(deps, context, joined.session);
      await adoptZone(deps, joined.session, values.zone);
      return redirectTo(context, '/account', { kind: 'joined' }, { tokens: joined });
    }),
    person.post(`${path}/accept`, async (context) => {
      const { token = '' } = context.params;
      const joined = await people.join(token, context.session.person, context.sessionToken);
      switch (joined.outcome) {
        case 'gone':
          throw invalidInvitation();
        case 'joined':
          audit(context, 'invitation accepted', { to: joined.account.email, role: joined.role });
          return redirectTo(context, '/account', { kind: 'joined' });
      }
    }),
  ];
}

function Inviting({ invitation: { account, email, role } }: { invitation: OpenInvitation }) {
  const t = useTexts();
  const values = { role, by: <bdi>{account.email}</bdi>, email: <bdi>{email}</bdi> };
  return (
    <>
      {account.businessName === null
        ? t.join.invites(values)
        : t.join.businessInvites({ ...values, business: <bdi>{account.businessName}</bdi> })}
    </>
  );
}

/** Renders what the one who looks can do: accept, sign in, sign out, or choose a password. */
function WayIn({
  invitation: { email, person: invited },
  context: { session, url },
  deps: { identities, hasPasswords },
}: {
  readonly invitation: OpenInvitation;
  readonly context: RequestContext;
  readonly deps: Pick<PanelDeps, 'identities' | 'hasPasswords'>;
}) {
  const { provider } = identities;
  const t = useTexts();
  if (session !== null && session.person.id === invited?.id)
    return (
      <PostButton to={`${url.pathname}/accept`} class="button primary large">
        {t.join.button}
      </PostButton>
    );
  if (session !== null)
    return (
      <>
        <p>
          {t.join.signedInAsOther({
            own: <bdi>{session.person.email}</bdi>,
            invited: <bdi>{email}</bdi>,
          })}
        </p>
        <PostButton
          to="/account/sign-out"
          values={{ next: url.pathname }}
          class="button primary large"
        >
          {t.join.signOutAndUse({ email })}
        </PostButton>
      </>
    );
  if (invited !== null)
    return (
      <>
        <p>{t.join.hasAccount}</p>
        <ButtonLink
          to={`/account/sign-in?${new URLSearchParams({ next: url.pathname })}`}
          class="button primary large"
        >
          {t.signIn.title}
        </ButtonLink>
      </>
    );
  return (
    <>
      {provider !== null && (
        <ProviderButton name={provider.name} to={startOf(url.pathname, 'sign-in')} />
      )}
      {provider !== null && hasPasswords && <div class="or">{t.signIn.orWithPassword}</div>}
      {hasPasswords && (
        <FormView form={passwordForm} to={url.pathname}>
          <p class="soft">{t.join.ownPassword}</p>
          <Username email={email} />
          <Submit class={provider === null ? 'button primary large' : 'button large'}>
            {t.join.button}
          </Submit>
        </FormView>
      )}
    </>
  );
}
