/** @jsxImportSource preact */
import { PrintError } from '../../core/codes/print/paper.ts';
import { ApiError, InvalidInput, logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { RequestContext } from '../request/request.ts';
import { ButtonLink } from '../ui/page-context.tsx';
import { page } from './responses.tsx';

/** An error that is shown to the user as a page with a title and a text. */
export class PanelError extends Error {
  override readonly name = 'PanelError';

  constructor(
    readonly status: number,
    readonly title: string,
    text: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(text);
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

/** Creates the page for an error. An unexpected error is logged and shown without its cause. */
export function errorResponse(context: RequestContext, thrown: unknown): Response {
  const { status, title, message, headers } = toPanelError(thrown, context.log);
  const { request, session, url } = context;
  const canRetry = request.method === 'POST' && status !== 404 && status !== 410;
  const [to, label] = canRetry
    ? [url.pathname, 'Back']
    : session === null
      ? ['/account', 'Sign in']
      : ['/account/codes', 'Your codes'];
  const response = page(
    context,
    title,
    <section class="card pad stack tight narrow">
      <h1>{title}</h1>
      <p>{message}</p>
      <ButtonLink to={to}>{label}</ButtonLink>
    </section>,
    status,
  );
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

const titles: Readonly<Record<number, string>> = {
  402: 'Your plan has expired',
  404: 'Page not found',
  500: 'Something went wrong',
  503: 'The server is busy',
};

function toPanelError(thrown: unknown, log: Logger): PanelError {
  if (thrown instanceof PanelError) return thrown;
  if (thrown instanceof PrintError)
    return new PanelError(422, 'This can’t be printed', thrown.message);
  if (thrown instanceof InvalidInput)
    return new PanelError(422, 'Nothing was changed', thrown.message);
  const error = thrown instanceof ApiError ? thrown : logFailure(thrown, log);
  const { status, message, headers } = error;
  return new PanelError(status, titles[status] ?? 'Request rejected', message, headers);
}
