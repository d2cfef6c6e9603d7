/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { OwnerProof } from '../../../core/accounts/sign-in/identities.ts';
import type { FlowPurpose } from '../../../core/accounts/sign-in/provider-flow.ts';
import type { RequestContext } from '../../request/request.ts';
import { type PageResponse, page } from '../../routing/responses.tsx';
import { DoorCard } from '../../ui/cards.tsx';
import { Notice, Time } from '../../ui/components.tsx';
import { hiddenField } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { formatDateTime } from '../../ui/formatting.ts';
import { ButtonLink, Form, Submit, useTexts } from '../../ui/page-context.tsx';
import { linkCommand, type ProblemSaid } from '../../ui/sentences/provider.ts';
import { codeField, presentPasswordField } from '../confirmation.ts';
import { wayBackFields } from '../way-back.ts';

/** Path at which a sign-in with the provider begins. */
export const startPath = '/account/sign-in/oidc';

/** Returns the address at which a sign-in with the provider begins. */
export function startOf(next: string, purpose: FlowPurpose, isOtherLogin = false): string {
  const query = new URLSearchParams({
    ...(next !== '/account' && { next }),
    ...(purpose !== 'sign-in' && { purpose }),
    ...(isOtherLogin && { other: 'yes' }),
  });
  return query.size === 0 ? startPath : `${startPath}?${query}`;
}

const text = (value: string) => value;
const finishFields = {
  ...wayBackFields,
  proof: hiddenField(text),
  by: hiddenField(text),
  connects: hiddenField(text),
};

/** The form of a person whom the provider has named, and who has to prove more. */
export function finishForm(by: string) {
  return {
    ...finishFields,
    secret:
      by === 'code'
        ? codeField(undefined, true)
        : presentPasswordField((t) => t.provider.waymarkPassword),
  };
}

interface MoreProps {
  readonly next: string;
  readonly again: string;
  readonly proof: string;
  readonly by: OwnerProof;
  readonly connects: boolean;
}

/** Renders the page that asks for the second factor, or for what connects an account. */
export function showMore(
  context: RequestContext,
  providerName: string,
  values?: MoreProps,
): PageResponse {
  const typed = (name: string) => context.rejected?.typed.text(name) ?? '';
  const by = values?.by ?? typed('by');
  const connects = values === undefined ? typed('connects') === 'yes' : values.connects;
  const { texts: t } = context;
  const provider = providerName;
  const connectText =
    by === 'code'
      ? t.provider.typeCodeToConnect({ provider })
      : t.provider.typePasswordToConnect({ provider });
  return page(
    context,
    t.signIn.title,
    <DoorCard
      title={connects ? t.provider.connectYours : t.signIn.oneMoreStep}
      text={connects ? connectText : t.provider.knowsYou({ provider })}
    >
      <FormView
        form={finishForm(by)}
        to={`${startPath}/finish`}
        values={{
          next: values?.next ?? typed('next'),
          again: values?.again ?? typed('again'),
          proof: values?.proof ?? typed('proof'),
          by,
          connects: connects ? 'yes' : '',
        }}
      >
        <Submit class="button primary large">
          {connects ? t.provider.connectAndSignIn : t.signIn.title}
        </Submit>
        <p class="small soft">{by === 'code' ? t.signIn.noPhone : t.signIn.forgotIt}</p>
      </FormView>
    </DoorCard>,
  );
}

interface ProblemProps {
  readonly status: number;
  readonly said: ProblemSaid;
  /** Where the sign-in begins again. */
  readonly again: string;
  /** What the operator finds in the log. */
  readonly code: string;
  readonly reference: string;
  /** Whether there are passwords to sign in with. */
  readonly hasPasswords: boolean;
}

/** Renders the page of a sign-in that did not come about, in the words of its cause. */
export function showProblem(context: RequestContext, props: ProblemProps): PageResponse {
  const { said, status, again, code, reference, hasPasswords } = props;
  const { texts: t } = context;
  const isSignedIn = context.session !== null;
  return page(
    { ...context, session: null },
    said.title,
    <DoorCard title={said.title} text={nothingChanged(context, isSignedIn)}>
      <p>{said.text}</p>
      <ButtonLink to={again} class="button primary large">
        {said.button}
      </ButtonLink>
      <OtherWay isSignedIn={isSignedIn} hasPasswords={hasPasswords} />
      <p class="small soft">
        {said.tell<ComponentChildren>({
          code: <b>{code}</b>,
          time: <Time ms={context.nowMs} format={formatDateTime} />,
          reference,
        })}
        {said.lasts === true && !isSignedIn && (
          <> {t.provider.linkLetsYouIn({ command: <code>{linkCommand}</code> })}</>
        )}
      </p>
    </DoorCard>,
    status,
  );
}

function nothingChanged({ texts: t }: RequestContext, isSignedIn: boolean): string {
  return isSignedIn ? t.provider.nothingChanged : t.provider.notSignedIn;
}

/** Renders the way that needs no provider. */
function OtherWay({ isSignedIn, hasPasswords }: { isSignedIn: boolean; hasPasswords: boolean }) {
  if (isSignedIn)
    return (
      <ButtonLink to="/account/settings" class="button large">
        {useTexts().provider.backToSettings}
      </ButtonLink>
    );
  if (!hasPasswords) return null;
  return (
    <ButtonLink to="/account/sign-in" class="button large">
      {useTexts().provider.usePassword}
    </ButtonLink>
  );
}

interface NotLetInProps {
  readonly status: number;
  readonly providerName: string;
  readonly title: string;
  readonly text: ComponentChildren;
  /** With which an operator lets the person in. */
  readonly command: string;
  /** What the operator finds in the log. */
  readonly code: string;
  readonly reference: string;
  /** Whether there are passwords to sign in with. */
  readonly hasPasswords: boolean;
}

/** Renders the page of a person whom the provider knows, and who has no access here. */
export function showNotLetIn(context: RequestContext, props: NotLetInProps): PageResponse {
  const { providerName: name, title, code, reference } = props;
  const { texts: t } = context;
  // Somebody may be signed in, and connect or confirm.
  const isSignedIn = context.session !== null;
  return page(
    { ...context, session: null },
    t.signIn.title,
    <DoorCard
      title={t.provider.notLetIn({ provider: name })}
      text={nothingChanged(context, isSignedIn)}
    >
      <Notice kind="bad" title={title}>
        {props.text}
      </Notice>
      <ButtonLink to={startOf('/account', 'sign-in', true)} class="button primary large">
        {t.provider.tryAnother}
      </ButtonLink>
      <OtherWay isSignedIn={isSignedIn} hasPasswords={props.hasPasswords} />
      <p class="small soft">
        {t.provider.askOwner({
          command: <code>{props.command}</code>,
          code: <b>{code}</b>,
          date: <Time ms={context.nowMs} />,
          reference,
        })}
      </p>
    </DoorCard>,
    props.status,
  );
}

/** The button that leads to the provider. */
export function ProviderButton({
  name,
  to,
  isInNewTab = false,
}: {
  name: string;
  to: string;
  isInNewTab?: boolean;
}) {
  return (
    <ButtonLink
      to={to}
      class="button primary large"
      icon="key"
      target={isInNewTab ? '_blank' : undefined}
    >
      {useTexts().provider.continueWith({ provider: name })}
    </ButtonLink>
  );
}

/** The button of a dialog with which people continue after a step in another tab. */
export function DoneButton({
  to,
  next,
  children,
}: {
  to: string;
  next: string;
  children: ComponentChildren;
}) {
  return (
    <Form to={to} class="in-dialog">
      <input type="hidden" name="next" value={next} />
      <Submit class="button large">{children}</Submit>
    </Form>
  );
}
