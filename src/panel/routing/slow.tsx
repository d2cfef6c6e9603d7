/** @jsxImportSource preact */
import { renderToString } from 'preact-render-to-string';
import { errorResponse } from './errors.tsx';
import type { RequestContext } from './request.ts';
import { page } from './responses.tsx';
import { encode, streamOf } from './stream.ts';

// The server closes a connection after ten seconds without traffic.
const patienceMs = 4_000;
const placeholder = '<hr/>';

/**
 * Responds as an action does. If it takes long, such as a remote check of thousands of destinations, a page
 * that says so is streamed until the action ends, and continues with its result. The action goes on if the
 * client closes the page.
 *
 * @param text what the client waits for
 * @param intervalMs how long a connection may be without traffic
 */
export async function respondPatiently(
  context: RequestContext,
  text: string,
  act: () => Promise<Response>,
  intervalMs = patienceMs,
): Promise<Response> {
  const response = act();
  const end = response.then(
    () => 'ended' as const,
    () => 'ended' as const,
  );
  if ((await Promise.race([end, Bun.sleep(intervalMs)])) === 'ended') return response;
  const result = response.catch((error: unknown) => errorResponse(context, error));
  const waiting = page(
    context,
    text,
    <>
      <section class="empty waiting" role="status">
        <h1>{text}</h1>
        <p>This can take a minute. Please leave this page open.</p>
      </section>
      <hr />
    </>,
  );
  const [before = '', after = ''] = (await waiting.text()).split(placeholder);

  async function* parts(): AsyncGenerator<string> {
    yield before;
    while ((await Promise.race([end, Bun.sleep(intervalMs)])) !== 'ended') yield '\n';
    yield contentOf(await result);
    yield after;
  }
  return new Response(streamOf(encode(parts()), context.log), { headers: waiting.headers });
}

/** Returns what a response shows, or the way to where it redirects. */
async function contentOf(response: Response): Promise<string> {
  const location = response.headers.get('location');
  if (location !== null)
    return renderToString(
      <div class="result">
        <meta http-equiv="refresh" content={`0;url=${location}`} />
        <a class="button" href={location}>
          Continue
        </a>
      </div>,
    );
  const [, content = ''] = /<main id="main">(.*)<\/main>/s.exec(await response.text()) ?? [];
  return `<div class="result">${content}</div>`;
}
