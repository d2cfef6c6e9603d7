/** @jsxImportSource preact */
import { isTotpSecret } from '../../core/accounts/second-factor.ts';
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
import { ButtonLink, Link, Submit, useRequest, useTexts } from '../ui/page-context.tsx';

const path = '/account/settings/second-factor';

const turnOnForm = {
  secret: hiddenField((text) => text),
  code: codeField((t) => t.secondFactor.appShowsNow),
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
    const { secondFactor: t, pages, common } = context.texts;
    const title = pages.secondFactor;
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
        <Crumb above={[['/account/settings', common.settings]]}>{title}</Crumb>
        <PageHead title={t.turnOnTitle} />
        <div class="split">
          <Card title={t.stepScan}>
            <p class="soft">{t.whichApps}</p>
            <Image path={`data:image/svg+xml;base64,${symbol}`} alt={t.qrCode} widthPx={240} />
            <p class="small soft">
              {t.orOnThisDevice({ open: (text) => <a href={uri}>{text}</a> })}
            </p>
            <Copyable label={t.copySecret} text={secret.replaceAll(/.{4}(?=.)/g, '$& ')} />
          </Card>
          <Card title={t.stepType}>
            <FormView form={turnOnFormOf(context)} to={path} values={{ secret }} class="stack">
              <Username email={email} />
              <Submit>{t.turnOn}</Submit>
              <p class="hint">{t.thenRecoveryCodes}</p>
            </FormView>
          </Card>
        </div>
      </>,
    );
  };
  const showCodes = (context: PersonContext, codes: readonly string[], isFirst: boolean) => {
    const title = context.texts.pages.secondFactor;
    return page(context, title, <RecoveryCodes codes={codes} isFirst={isFirst} />);
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
        if (!isTotpSecret(secret)) throw new InvalidInput((t) => t.secondFactor.openAgain);
        await requirePresentPassword(signIn, context, password);
        const result = await secondFactors.turnOn(context.session.person.id, secret, code);
        switch (result.outcome) {
          case 'on already':
            throw new InvalidInput((t) => t.secondFactor.isOnAlready);
          case 'wrong code':
            throw invalidField('code', (t) => t.secondFactor.wrongCode);
          case 'on':
            audit(context, 'second factor turned on');
            return showCodes(context, result.recoveryCodes, true);
        }
      },
    ),
    person.submit(
      `${path}/recovery-codes`,
      { form: async (context) => changeFormOf(context), page: show, needsConfirmation },
      async (context, values) => {
        const codes = await secondFactors.renewRecoveryCodes(await confirm(context, values));
        audit(context, 'recovery codes replaced');
        return showCodes(context, codes, false);
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
  const { secondFactor: t } = useTexts();
  const keep = isFirst ? t.keepThem : t.keepNewOnes;
  return (
    <>
      <PageHead
        title={isFirst ? t.isOn : t.newRecoveryCodes}
        text={isFirst ? t.fromNowOn : undefined}
      />
      <Card title={t.yourRecoveryCodes} class="card pad stack tight highlight">
        <p>{keep({ b: (text) => <b>{text}</b> })}</p>
        <p class="paper-only">
          {t.onPaper({ email: session?.person.email ?? '', server: publicUrl })}
        </p>
        <Copyable label={t.copyRecoveryCodes} text={codes.join('\n')} />
        <p>
          <Link class="button primary" to="/account/settings">
            {t.haveKeptThem}
          </Link>
        </p>
      </Card>
    </>
  );
}

function OnPage({ email, recoveryCodesLeft }: { email: string; recoveryCodesLeft: number }) {
  const form = changeFormOf(useRequest());
  const { secondFactor: t, pages, common } = useTexts();
  return (
    <>
      <Crumb above={[['/account/settings', common.settings]]}>{pages.secondFactor}</Crumb>
      <PageHead title={pages.secondFactor} />
      <div class="split">
        <Card title={t.newRecoveryCodes}>
          <p>{t.newOnesReplace({ codes: recoveryCodesLeft })}</p>
          <FormView form={form} to={`${path}/recovery-codes`} idSuffix="-renew" class="stack">
            <Username email={email} />
            <Submit class="button">{t.makeNewOnes}</Submit>
          </FormView>
        </Card>
        <Card title={t.turnOff}>
          <p>{t.passwordIsEnough}</p>
          <FormView form={form} to={`${path}/off`} idSuffix="-off" class="stack">
            <Username email={email} />
            <Submit class="button danger">{t.turnOff}</Submit>
          </FormView>
        </Card>
      </div>
    </>
  );
}

/** The line of the settings that leads to the second factor. */
export function SecondFactorSetting({ recoveryCodesLeft }: { recoveryCodesLeft: number | null }) {
  const isOn = recoveryCodesLeft !== null;
  const { secondFactor: t, pages } = useTexts();
  return (
    <Setting
      name={pages.secondFactor}
      isOn={isOn}
      text={isOn ? t.codesLeft({ codes: recoveryCodesLeft }) : t.whatFor}
    >
      <ButtonLink to={path} class="button small">
        {isOn ? t.manage : t.turnOnMenu}
      </ButtonLink>
    </Setting>
  );
}
