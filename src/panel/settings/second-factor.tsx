/** @jsxImportSource preact */
import { isTotpSecret } from '../../core/accounts/second-factor.ts';
import { formatCount } from '../../lib/numbers.ts';
import {
  codeField,
  ownPasswordForm,
  requireCode,
  requirePresentPassword,
} from '../accounts/confirmation.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { audit, type PersonContext, type RequestContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { person, type Route } from '../routing/route.ts';
import { Card, Crumb } from '../ui/cards.tsx';
import { Copyable, Image, PageHead } from '../ui/components.tsx';
import { hiddenField, Username } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { Setting } from '../ui/groups.tsx';
import { ButtonLink, Link, Submit, useRequest } from '../ui/page-context.tsx';

const path = '/account/settings/second-factor';
const title = 'Second factor';
const settings = ['/account/settings', 'Settings'] as const;

const turnOnForm = {
  secret: hiddenField((text) => text),
  code: codeField('The six digits that the app shows now.'),
};

const turnOnFormOf = (context: RequestContext) => ({ ...turnOnForm, ...ownPasswordForm(context) });
const changeFormOf = (context: RequestContext) => ({
  ...ownPasswordForm(context),
  code: codeField(),
});
/** Asked for where the form has no password. */
const needsConfirmation = 'without password';

/** Creates the routes that turn the second factor of the own account on and off. */
export function secondFactorRoutes(deps: PanelDeps): Route[] {
  const { secondFactors, signIn, drawSymbol } = deps;

  const show = async (context: PersonContext) => {
    const { id, email } = context.session.person;
    const status = await secondFactors.status(id);
    if (status !== null) return page(context, title, <OnPage email={email} {...status} />);
    const typed = context.rejected?.typed.text('secret') ?? '';
    const secret = isTotpSecret(typed) ? typed : secondFactors.newSecret();
    const issuer = `Waymark (${new URL(context.publicUrl).hostname})`;
    const uri = secondFactors.uriOf(secret, issuer, email);
    const symbol = Buffer.from(await drawSymbol(uri)).toString('base64');
    return page(
      context,
      title,
      <>
        <Crumb above={[settings]}>{title}</Crumb>
        <PageHead title="Turn on the second factor" />
        <div class="split">
          <Card title="1. Scan this with an authenticator app">
            <p class="soft">
              Such as Aegis, Google Authenticator, 1Password or the passwords of an iPhone. The
              camera alone is not enough.
            </p>
            <Image
              path={`data:image/svg+xml;base64,${symbol}`}
              alt="QR code with the secret"
              widthPx={240}
            />
            <p class="small soft">
              Or <a href={uri}>open it on this device</a>, or type the secret into the app:
            </p>
            <Copyable label="Copy the secret" text={secret.replaceAll(/.{4}(?=.)/g, '$& ')} />
          </Card>
          <Card title="2. Type the code that it shows">
            <FormView form={turnOnFormOf(context)} to={path} values={{ secret }} class="stack">
              <Username email={email} />
              <Submit>Turn on</Submit>
              <p class="hint">
                Then you get recovery codes, for the day on which you don’t have the phone.
              </p>
            </FormView>
          </Card>
        </div>
      </>,
    );
  };
  const confirm = async (context: PersonContext, values: { password?: string; code: string }) => {
    await requirePresentPassword(signIn, context, values.password);
    await requireCode(signIn, context, values.code);
    return context.session.person.id;
  };

  return [
    person.get(path, show),
    person.submit(
      path,
      { form: async (context) => turnOnFormOf(context), page: show, needsConfirmation },
      async (context, { secret, code, password }) => {
        if (!isTotpSecret(secret))
          throw new InvalidInput('Open the page of the second factor again.');
        await requirePresentPassword(signIn, context, password);
        const result = await secondFactors.turnOn(context.session.person.id, secret, code);
        switch (result.outcome) {
          case 'on already':
            throw new InvalidInput('The second factor is on already.');
          case 'wrong code':
            throw invalidField(
              'code',
              'This is not the code that the app shows. Check the clock of the phone, and type the next one.',
            );
          case 'on':
            audit(context, 'second factor turned on');
            return page(context, title, <RecoveryCodes codes={result.recoveryCodes} isFirst />);
        }
      },
    ),
    person.submit(
      `${path}/recovery-codes`,
      { form: async (context) => changeFormOf(context), page: show, needsConfirmation },
      async (context, values) => {
        const codes = await secondFactors.renewRecoveryCodes(await confirm(context, values));
        audit(context, 'recovery codes replaced');
        return page(context, title, <RecoveryCodes codes={codes} isFirst={false} />);
      },
    ),
    person.submit(
      `${path}/off`,
      { form: async (context) => changeFormOf(context), page: show, needsConfirmation },
      async (context, values) => {
        await confirm(context, values);
        await secondFactors.turnOff(context.actingOnSelf);
        audit(context, 'second factor turned off');
        return redirectTo(context, '/account/settings', { kind: 'secondFactorOff' });
      },
    ),
  ];
}

function RecoveryCodes({ codes, isFirst }: { codes: readonly string[]; isFirst: boolean }) {
  const { session, publicUrl } = useRequest();
  return (
    <>
      <PageHead
        title={isFirst ? 'The second factor is on' : 'New recovery codes'}
        text={isFirst ? 'From now on, you sign in with your password and a code.' : undefined}
      />
      <Card title="Your recovery codes" class="card pad stack tight highlight">
        <p>
          Each signs you in once, in place of a code of the app. Print them, or keep them in a
          password manager. They are shown <b>only this once</b>
          {!isFirst && ', and the earlier ones no longer work'}.
        </p>
        <p class="paper-only">
          For {session?.person.email} at {publicUrl}
        </p>
        <Copyable label="Copy the recovery codes" text={codes.join('\n')} />
        <p>
          <Link class="button primary" to="/account/settings">
            I have kept them
          </Link>
        </p>
      </Card>
    </>
  );
}

function OnPage({ email, recoveryCodesLeft }: { email: string; recoveryCodesLeft: number }) {
  const form = changeFormOf(useRequest());
  return (
    <>
      <Crumb above={[settings]}>{title}</Crumb>
      <PageHead title={title} />
      <div class="split">
        <Card title="New recovery codes">
          <p>
            {formatCount(recoveryCodesLeft, 'recovery code is', 'recovery codes are')} left. New
            ones replace them.
          </p>
          <FormView form={form} to={`${path}/recovery-codes`} idSuffix="-renew" class="stack">
            <Username email={email} />
            <Submit class="button">Make new ones</Submit>
          </FormView>
        </Card>
        <Card title="Turn off">
          <p>
            Then the password alone is enough to sign in. For a new phone, turn it off and on again.
          </p>
          <FormView form={form} to={`${path}/off`} idSuffix="-off" class="stack">
            <Username email={email} />
            <Submit class="button danger">Turn off</Submit>
          </FormView>
        </Card>
      </div>
    </>
  );
}

/** The line of the settings that leads to the second factor. */
export function SecondFactorSetting({ recoveryCodesLeft }: { recoveryCodesLeft: number | null }) {
  const isOn = recoveryCodesLeft !== null;
  return (
    <Setting
      name={title}
      isOn={isOn}
      text={
        isOn
          ? `An app on your phone. ${formatCount(recoveryCodesLeft, 'recovery code is', 'recovery codes are')} left.`
          : 'With a code of an app on your phone, a stolen password is not enough.'
      }
    >
      <ButtonLink to={path} class="button small">
        {isOn ? 'Manage' : 'Turn on…'}
      </ButtonLink>
    </Setting>
  );
}
