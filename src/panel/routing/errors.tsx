/** @jsxImportSource preact */
import type { Account } from '../../core/accounts/account.ts';
import type { Role } from '../../core/accounts/people/role.ts';
import type { Session } from '../../core/accounts/session.ts';
import { ApiError, logFailure, OutcomeUnknown, Refused } from '../../core/errors.ts';
import { type Said, say } from '../../languages/texts.ts';
import type { Logger } from '../../lib/logger.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { listOf } from '../request/own-path.ts';
import { type FormFields, fieldsToKeep, type RequestContext } from '../request/request.ts';
import { ButtonLink, Form, Submit } from '../ui/page-context.tsx';
import { messageOf } from '../ui/sentences/sentences.ts';
import { page } from './responses.tsx';

/** An error that is shown to the user as a page with a title and a text. */
export class PanelError extends Error {
  override readonly name = 'PanelError';

  constructor(
    readonly status: number,
    readonly title: Said,
    readonly said: Said,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super('an error page');
  }
}

/** 404: there is no such page, or the account may not see it. */
export function pageNotFound(): PanelError {
  return new PanelError(
    404,
    (t) => t.errors.pageNotFound,
    (t) => t.errors.pageNotFoundWhy,
  );
}

/** 503: what is sorted by the scans of a period is not sorted yet. */
export function scansBeingCounted(): PanelError {
  return new PanelError(
    503,
    (t) => t.errors.beingCounted,
    (t) => t.errors.beingCountedWhy,
    { 'Retry-After': '10' },
  );
}

/** 503: the server cannot keep changes until its operator has acted. */
export function writesRejected(): PanelError {
  return new PanelError(
    503,
    (t) => t.errors.noChangesNow,
    (t) => t.errors.noChangesNowWhy,
    { 'Retry-After': '60' },
  );
}

/**
 * Creates the page for an error.
 * An unexpected error is logged and shown without its cause. If the server could not do it now, the page can send the
 * form again as it was typed.
 */
export function errorResponse(context: RequestContext, thrown: unknown): Response {
  const error = toPanelError(thrown, context.log);
  return errorPage(context, error, error.status === 503 ? fieldsToKeep(context.sent) : null);
}

/** 403: the page of the form was opened in an earlier session. */
export function outOfDate(): PanelError {
  return new PanelError(
    403,
    (t) => t.errors.outOfDate,
    (t) => t.errors.outOfDateWhy,
  );
}

/**
 * 403: the page of the form was opened in another account.
 *
 * @param other the account of the form, if the same person has opened it and may still enter it; else it is not told
 */
export function ofOtherAccount(
  { person, entered }: Pick<Session, 'person' | 'entered'>,
  other: Account | null,
): PanelError {
  const isOwn = entered.id === person.id;
  if (other === null)
    return new PanelError(
      403,
      (t) => t.errors.ofAnotherAccount,
      (t) =>
        isOwn
          ? t.errors.signedInAs({ person: person.email })
          : t.errors.signedInAsIn({ person: person.email, entered: entered.email }),
    );
  if (other.id === person.id)
    return new PanelError(
      403,
      (t) => t.errors.ofYourAccount,
      (t) => t.errors.goBackToYours({ entered: entered.email }),
    );
  return new PanelError(
    403,
    (t) => t.errors.ofTheAccountOf({ email: other.email }),
    (t) =>
      isOwn
        ? t.errors.goBackFromYours({ other: other.email })
        : t.errors.goBackFrom({ entered: entered.email, other: other.email }),
  );
}

/** 403: the person may enter the account, and not do this in it. */
export function roleTooLow(needed: Role, { entered, role }: Session): PanelError {
  const { email } = entered;
  return needed === 'owner'
    ? new PanelError(
        403,
        (t) => t.errors.onlyTheOwner,
        (t) =>
          role === 'editor'
            ? t.errors.editorAsksOwner({ email })
            : t.errors.viewerAsksOwner({ email }),
      )
    : new PanelError(
        403,
        (t) => t.errors.onlyLook,
        (t) => t.errors.viewerAsksEditor({ email }),
      );
}

/** @param fields of the form to send again; null if the page cannot carry it, or it would be of no use */
function errorPage(
  context: RequestContext,
  { status, title, said, headers }: PanelError,
  fields: FormFields['texts'] | null,
): Response {
  const { pathname, search } = context.url;
  const { texts: t } = context;
  const [to, label] = wayBack(context, status);
  const heading = say(title, t);
  const response = page(
    context,
    heading,
    <section class="card pad stack tight narrow" data-failure>
      <h1>{heading}</h1>
      <p>
        {say(said, t)}
        {fields !== null && ` ${t.errors.typedIsKept}`}
      </p>
      <div class="row">
        {fields !== null && (
          <Form to={`${pathname}${search}`}>
            {fields.map(([name, value], index) => (
              <input key={index} type="hidden" name={name} value={value} />
            ))}
            <Submit>{t.errors.sendAgain}</Submit>
          </Form>
        )}
        <ButtonLink to={to} data-close>
          {label}
        </ButtonLink>
      </div>
    </section>,
    status,
  );
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Returns where the button of an error page leads, and its label. */
function wayBack(context: RequestContext, status: number): [path: string, label: string] {
  const { request, session, url, sent, texts: t } = context;
  if (sent !== null && sent.text('list') !== '') return [listOf(context), t.errors.backToList];
  if (request.method === 'POST' && status !== 404 && status !== 410)
    return [url.pathname, t.common.back];
  return session === null ? ['/account', t.signIn.title] : ['/account/codes', t.errors.yourCodes];
}

const titles: Readonly<Record<number, Said>> = {
  402: (t) => t.errors.needsPlan,
  404: (t) => t.errors.pageNotFound,
  500: (t) => t.errors.wentWrong,
  503: (t) => t.errors.serverIsBusy,
};

function toPanelError(thrown: unknown, log: Logger): PanelError {
  if (thrown instanceof PanelError) return thrown;
  if (thrown instanceof InvalidInput || thrown instanceof Refused)
    return new PanelError(422, (t) => t.common.notPossible, messageOf(thrown));
  const error = thrown instanceof ApiError ? thrown : logFailure(thrown, log);
  const { status, headers } = error;
  const said = thrown instanceof ApiError ? messageOf(error) : failureText(thrown, status);
  return new PanelError(status, titles[status] ?? ((t) => t.errors.rejected), said, headers);
}

/** Returns what a failure of the server says. */
function failureText(thrown: unknown, status: number): Said {
  if (status === 500) return (t) => t.errors.serverFailed;
  return thrown instanceof OutcomeUnknown
    ? (t) => t.errors.outcomeUnknown
    : (t) => t.errors.serverCannotNow;
}
