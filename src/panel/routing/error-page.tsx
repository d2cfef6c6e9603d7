/** @jsxImportSource preact */
import { ApiError, logFailure } from '../../core/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { MessagePage } from '../ui/message.tsx';
import { PanelRefused } from './errors.ts';
import type { Visit } from './request.ts';
import { page } from './responses.tsx';

/** A page for anything that was thrown. What is no refusal is logged and told without its cause. */
export function explain(visit: Visit, thrown: unknown): Response {
  const { status, title, message } = refusalOf(thrown, visit.log);
  const { request, url } = visit;
  const form = request.method === 'POST' && mendable.has(status) ? url.pathname : null;
  return page(
    visit,
    { title, status },
    <MessagePage title={title} form={form}>
      {message}
    </MessagePage>,
  );
}

// No form, one of elsewhere or one that is out of date, too large: to be filled in anew. There is a page for
// every address that a form is sent to.
const mendable = new Set([400, 403, 413]);

/** The same where not even the visitor could be looked up. */
export function explainToNobody(thrown: unknown, log: Logger): Response {
  const { status, title, message } = refusalOf(thrown, log);
  return new Response(`${title}. ${message}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

function refusalOf(thrown: unknown, log: Logger): PanelRefused {
  if (thrown instanceof PanelRefused) return thrown;
  if (thrown instanceof ApiError)
    return new PanelRefused(
      thrown.status,
      titles[thrown.status] ?? 'That did not work',
      thrown.message,
    );
  return logFailure(thrown, log) === 'busy'
    ? new PanelRefused(
        503,
        'One moment, please',
        'The server cannot do this right now. Nothing was changed. Try again shortly.',
      )
    : new PanelRefused(
        500,
        'Something went wrong',
        'This is not your fault. The log of the server says what it was.',
      );
}

const titles: Readonly<Record<number, string>> = {
  402: 'The plan has ended',
  404: 'There is nothing here',
};
