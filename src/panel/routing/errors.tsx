/** @jsxImportSource preact */
import type { Account } from '../../core/accounts/account.ts';
import type { Role } from '../../core/accounts/people/role.ts';
import type { Session } from '../../core/accounts/session.ts';
import { ApiError, logFailure, Refused } from '../../core/errors.ts';
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
    'Page not found',
    'This page does not exist, or you do not have access to it.',
  );
}

/** 503: what is sorted by the scans of a period is not sorted yet. */
export function scansBeingCounted(): PanelError {
  return new PanelError(
    503,
    'The scans are being counted',
    'The scans of these days are being counted. Try again in a minute.',
    { 'Retry-After': '10' },
  );
}

/** 503: the server cannot keep changes until its operator has acted. */
export function writesRejected(): PanelError {
  return new PanelError(
    503,
    'Changes are not possible right now',
    'The server cannot save changes. Nothing was changed, and printed codes continue to redirect. Its ' +
      'operator finds the cause in the log and at /healthz.',
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
    'This form is out of date',
    'Nothing was changed: you have signed in again since its page was opened. Go back and send it again.',
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
  const title = 'This form is of another account';
  if (other?.id === person.id)
    return new PanelError(
      403,
      'This form is of your account',
      `Nothing was changed: you now work in the account of ${entered.email}. To send the form, go back to your account in the account menu.`,
    );
  const now = entered.id === person.id ? 'your account' : `the account of ${entered.email}`;
  return new PanelError(
    403,
    other === null ? title : `This form is of the account of ${other.email}`,
    other !== null
      ? `Nothing was changed: you now work in ${now}. To send the form, go back to the account of ${other.email} in the account menu.`
      : entered.id === person.id
        ? `Nothing was changed: you are now signed in as ${person.email}. To send the form, sign in as before.`
        : `Nothing was changed: you are now signed in as ${person.email} and work in the account of ${entered.email}.`,
  );
}

/** 403: the person may enter the account, and not do this in it. */
export function roleTooLow(needed: Role, { entered, role }: Session): PanelError {
  const where = `This is the account of ${entered.email}. You are its ${role}.`;
  return needed === 'owner'
    ? new PanelError(403, 'Only the owner can do this', `${where} Ask its owner.`)
    : new PanelError(403, 'You can look, not change', `${where} Ask its owner or an editor.`);
}

/** @param fields of the form to send again; null if the page cannot carry it, or it would be of no use */
function errorPage(
  context: RequestContext,
  { status, title, said, headers }: PanelError,
  fields: FormFields['texts'] | null,
): Response {
  const { pathname, search } = context.url;
  const [to, label] = wayBack(context, status);
  const heading = say(title, context.texts);
  const response = page(
    context,
    heading,
    <section class="card pad stack tight narrow" data-failure>
      <h1>{heading}</h1>
      <p>
        {say(said, context.texts)}
        {fields !== null && ' What you typed is kept.'}
      </p>
      <div class="row">
        {fields !== null && (
          <Form to={`${pathname}${search}`}>
            {fields.map(([name, value], index) => (
              <input key={index} type="hidden" name={name} value={value} />
            ))}
            <Submit>Send it again</Submit>
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
  const { request, session, url, sent } = context;
  if (sent !== null && sent.text('list') !== '') return [listOf(context), 'Back to the list'];
  if (request.method === 'POST' && status !== 404 && status !== 410) return [url.pathname, 'Back'];
  return session === null ? ['/account', 'Sign in'] : ['/account/codes', 'Your codes'];
}

const titles: Readonly<Record<number, string>> = {
  402: 'This needs an active plan',
  404: 'Page not found',
  500: 'Something went wrong',
  503: 'The server is busy',
};

function toPanelError(thrown: unknown, log: Logger): PanelError {
  if (thrown instanceof PanelError) return thrown;
  if (thrown instanceof InvalidInput || thrown instanceof Refused)
    return new PanelError(422, 'This is not possible', messageOf(thrown));
  const error = thrown instanceof ApiError ? thrown : logFailure(thrown, log);
  const { status, headers } = error;
  return new PanelError(status, titles[status] ?? 'Request rejected', messageOf(error), headers);
}
