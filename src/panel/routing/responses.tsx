/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from 'preact';
import type { SignInTokens } from '../../core/accounts/session.ts';
import { type Message, sealMessage } from '../request/messages.ts';
import {
  type Preference,
  type RequestContext,
  setCookie,
  signInCookies,
} from '../request/request.ts';
import { Layout } from '../ui/layout.tsx';
import { type Rendered, render } from '../ui/page-context.tsx';

/** The response with a page. */
export type PageResponse = Response & Pick<Rendered, 'showsRejection'>;

/** Renders a page within the layout. A page with a rejected form has the status of the rejection. */
export function page(
  context: RequestContext,
  title: string,
  content: ComponentChildren,
  status = context.rejected?.status ?? 200,
): PageResponse {
  const rendered = render(context, <Layout title={title}>{content}</Layout>);
  const response = html(`<!doctype html>${rendered.html}`, status);
  if (context.message !== null)
    response.headers.append('Set-Cookie', setCookie('message', '', context.isSecure));
  return Object.assign(response, { showsRejection: rendered.showsRejection });
}

/** Renders a part of a page, which the panel's script inserts. */
export function fragment(context: RequestContext, content: VNode): Response {
  return html(render(context, content).html, 200);
}

/** Makes browsers reload a page after some seconds, also without scripts (HTML, 7.5). */
export function reloading<R extends Response>(response: R, seconds: number): R {
  response.headers.set('Refresh', String(seconds));
  return response;
}

interface RedirectOptions {
  /** Signs the browser in. */
  readonly tokens?: SignInTokens;
  /** A choice that the browser keeps. */
  readonly preference?: readonly [name: Preference, value: string];
  /** Whether to sign the browser out. */
  readonly isSignedOut?: boolean;
}

/** Redirects to a page of the panel (303), which shows the message. */
export function redirectTo(
  { basePath, isSecure, messageKey }: RequestContext,
  path: string,
  message?: Message,
  { tokens, preference, isSignedOut = false }: RedirectOptions = {},
): Response {
  const headers = new Headers({ Location: `${basePath}${path}` });
  const cookies = [
    ...(tokens === undefined ? [] : signInCookies(tokens, isSecure)),
    ...(preference === undefined ? [] : [setCookie(...preference, isSecure)]),
    ...(isSignedOut ? [setCookie('session', '', isSecure)] : []),
    ...(message === undefined
      ? []
      : [setCookie('message', sealMessage(message, messageKey), isSecure)]),
  ];
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

function html(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

// `data:` is for previews of designs. The referrer policy keeps the Origin header on our own forms.
const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
};

/** Adds the panel's security headers to a response, unless it has its own. */
export function withSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
