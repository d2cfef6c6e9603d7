/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Layout, type Section } from '../ui/layout.tsx';
import type { RequestContext } from './request.ts';

/** What a page is besides its content. */
export interface PageOptions {
  readonly title: string;
  /** Which entry of the navigation it belongs to. */
  readonly section?: Section;
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/** A whole page. */
export function page(
  context: RequestContext,
  options: PageOptions,
  content: ComponentChildren,
): Response {
  const { title, section, status = 200, headers = {} } = options;
  const document = renderToString(
    <Layout context={context} title={title} section={section ?? null}>
      {content}
    </Layout>,
  );
  return html(`<!doctype html>${document}`, status, headers);
}

/** A piece of a page, for the script that puts it in its place. */
export function fragment(content: Parameters<typeof renderToString>[0]): Response {
  return html(renderToString(content), 200, {});
}

/** On to another page of the panel, as GET (303), with cookies to keep or forget. */
export function redirectTo(
  context: RequestContext,
  path: string,
  cookies: readonly string[] = [],
): Response {
  const headers = new Headers({ Location: `${context.basePath}${path}` });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

function html(text: string, status: number, headers: Record<string, string>): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  });
}
