/** @jsxImportSource preact */
import { ApiError, logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { MessagePage } from '../ui/message.tsx';
import { PanelError } from './errors.ts';
import type { RequestContext } from './request.ts';
import { page } from './responses.tsx';

/** A page for anything that was thrown. What is no refusal is logged and told without its cause. */
export function errorResponse(context: RequestContext, thrown: unknown): Response {
  const { status, title, message } = refusalOf(thrown, context.log);
  const { request, url } = context;
  const form = request.method === 'POST' && retryableStatuses.has(status) ? url.pathname : null;
  return page(
    context,
    { title, status },
    <MessagePage title={title} form={form}>
      {message}
    </MessagePage>,
  );
}

// No form, one of elsewhere or one that is out of date, too large: to be filled in anew. There is a page for
// every address that a form is sent to.
const retryableStatuses = new Set([400, 403, 413]);

/** The same where not even the visitor could be looked up. */
export function plainErrorResponse(thrown: unknown, log: Logger): Response {
  const { status, title, message } = refusalOf(thrown, log);
  return new Response(`${title}. ${message}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

function refusalOf(thrown: unknown, log: Logger): PanelError {
  if (thrown instanceof PanelError) return thrown;
  if (thrown instanceof ApiError)
    return new PanelError(
      thrown.status,
      titles[thrown.status] ?? 'That did not work',
      thrown.message,
    );
  return logFailure(thrown, log) === 'busy'
    ? new PanelError(
        503,
        'One moment, please',
        'The server cannot do this right now. Nothing was changed. Try again shortly.',
      )
    : new PanelError(
        500,
        'Something went wrong',
        'This is not your fault. The log of the server says what it was.',
      );
}

const titles: Readonly<Record<number, string>> = {
  402: 'The plan has ended',
  404: 'There is nothing here',
};
