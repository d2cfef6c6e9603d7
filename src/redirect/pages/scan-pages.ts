import { flagSource, type QrStatus } from '../../core/codes/qr.ts';
import { readableUrl, truncateUrl } from '../../lib/text/readable-url.ts';
import { locationHeader } from '../link-outcome.ts';
import type { PausedPage } from '../look-ups.ts';
import { retryAfterOperator } from '../responses.ts';
import { type Language, languages, preferredLanguage } from './languages/language.ts';
import type { VisitorTexts } from './languages/texts.ts';
import { type Addresses, icon, mark, page, type Sign } from './layout.ts';

/**
 * The pages that a scan can end on, and the root page, in the language that the phone asks for.
 * The redirect server loads them when the first one is needed.
 */

/** Who sees a page, and where. */
export interface Visit extends Addresses {
  readonly acceptLanguage: string | null;
}

/** Returns who sees a response. */
export function visitOf({ publicUrl, shortUrl }: Addresses, { headers }: Request): Visit {
  return { publicUrl, shortUrl, acceptLanguage: headers.get('accept-language') };
}

/** What a card has. All texts are HTML. */
interface Card {
  readonly sign: Sign;
  readonly tone?: 'plain' | 'warn' | 'alarm';
  readonly title: string;
  readonly text: string;
  /** What stands below the text. */
  readonly more?: string;
  /** What stands at the very bottom. */
  readonly foot?: string;
  /** The mark over the card; by default that of the server. */
  readonly host?: string;
  /** Which styles it needs beyond those of a card. */
  readonly kind?: 'paused';
  /** Whether it has an inlined picture. */
  readonly hasPicture?: boolean;
}

/** Returns a page with one card. */
function cardPage(
  visit: Visit,
  language: Language,
  status: number,
  {
    sign,
    tone = 'plain',
    title,
    text,
    more = '',
    foot = '',
    host = serverMark(visit),
    kind,
    hasPicture = false,
  }: Card,
  headers?: Readonly<Record<string, string>>,
): Response {
  return page({
    status,
    language,
    title,
    body: `<main>
<header class="host">${host}</header>
<section class="card ${tone}">
<span class="sign">${icon(sign, 24)}</span>
<div class="words"><h1>${title}</h1><p class="soft">${text}</p></div>
${more}
</section>
</main>`,
    foot: `<span>${foot}</span><a class="brand" href="${escaped(visit.publicUrl)}/">${mark(16)}Waymark</a>`,
    hasPicture,
    ...(kind && { kind }),
    ...(headers && { headers }),
  });
}

const escaped = (text: string): string => Bun.escapeHTML(text);

// A server is back within seconds of its database.
const retryAfterDatabase = { 'Retry-After': '5' };

function serverMark({ shortUrl }: Visit): string {
  return `${mark(26)}<bdi>${escaped(new URL(shortUrl).host)}</bdi>`;
}

/** Returns an address as people type it: without the scheme. */
function typed(url: string): string {
  return escaped(url.replace(/^https?:\/\//, ''));
}

// What an address in a browser shows as it is. Anything else could be a message to the reader.
const plainPath = /^[\w.~/-]{1,64}$/;

function shortLinkFoot(visit: Visit, path: string): string {
  return plainPath.test(path) ? `<bdi>${typed(visit.shortUrl)}/${path}</bdi>` : '';
}

function tryAgainButton({ tryAgain }: VisitorTexts): string {
  return `<a class="button primary" href="">${tryAgain}</a>`;
}

/**
 * Returns the root page.
 *
 * @param options.code SVG of a code that leads to it, if there is one
 */
export function rootPage(
  visit: Visit,
  options: { readonly isSignedIn: boolean; readonly code: string | null },
): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  const panel = `${escaped(visit.publicUrl)}/account`;
  const code =
    options.code === null
      ? ''
      : `<figure><div class="plate">${options.code}</div><figcaption class="small soft">${texts.rootCode}</figcaption></figure>`;
  return page({
    status: 200,
    language,
    title: 'Waymark',
    kind: 'front',
    body: `<main class="front">
<div>
${mark(56)}
<div class="words"><h1>Waymark</h1><p class="soft">${texts.rootText}</p></div>
<div class="row"><a class="button primary" href="${panel}">${options.isSignedIn ? texts.openPanel : texts.signIn}</a><a class="button" href="${escaped(visit.publicUrl)}/docs">${texts.apiDocs}</a></div>
<p class="small soft">${texts.rootScanned(`<bdi>${typed(visit.shortUrl)}/</bdi>`)}</p>
</div>
${code}
</main>`,
    foot: `<bdi>${escaped(new URL(visit.shortUrl).host)}</bdi>`,
  });
}

/**
 * Returns the 404 page of a short link that does not exist.
 *
 * @param path of the request, without the leading slash
 */
export function unknownCodePage(visit: Visit, path: string): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  const address = plainPath.test(path)
    ? `<p class="address" dir="ltr">${typed(visit.shortUrl)}/<b>${path}</b></p>\n`
    : '';
  return cardPage(visit, language, 404, {
    sign: 'question',
    title: texts.unknownTitle,
    text: texts.unknownTyped,
    more: `${address}<p class="soft">${texts.unknownScanned}</p>`,
    foot: texts.codeForm,
  });
}

/** Returns the 503 page of a code that cannot be looked up now. A browser may try again soon. */
export function unavailablePage(visit: Visit): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  return cardPage(
    visit,
    language,
    503,
    {
      sign: 'cloud',
      tone: 'warn',
      title: texts.unavailableTitle,
      text: texts.unavailableText,
      more: tryAgainButton(texts),
    },
    retryAfterDatabase,
  );
}

/**
 * Returns the 410 page of a paused code.
 * It alone shows the name and the logo of a business: on the others, they would vouch for a fake.
 *
 * @param shown what its account says, if there is something
 * @param path of the short link, without the leading slash
 */
export function pausedCodePage(visit: Visit, shown: PausedPage | null, path: string): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  const { businessName: name, message, link, logo } = shown ?? nothingShown;
  const business = name === null ? null : `<bdi>${escaped(name)}</bdi>`;
  const owner = business === null ? texts.pausedByOwner : texts.pausedBy(business);
  const words = message === null ? '' : `<p dir="auto">${escaped(message)}</p>`;
  const button = link === null ? '' : linkButton(link);
  return cardPage(visit, language, 410, {
    sign: 'pause',
    kind: 'paused',
    title: texts.pausedTitle,
    text: message === null ? `${owner} ${texts.tryLater}` : owner,
    more: words + button === '' ? '' : `<div class="message">${words}${button}</div>`,
    foot: shortLinkFoot(visit, path),
    ...(name !== null && { host: `${businessMark(name, logo)}${business}` }),
    hasPicture: name !== null && logo !== null,
  });
}

const nothingShown: PausedPage = { businessName: null, message: null, link: null, logo: null };

/** Returns the logo of a business, or its first letter. */
function businessMark(name: string, logo: Uint8Array | null): string {
  if (logo !== null)
    return `<img src="data:image/png;base64,${Buffer.from(logo).toString('base64')}" alt="">`;
  const [letter = ''] = name;
  return `<span class="tile" aria-hidden="true">${escaped(letter.toUpperCase())}</span>`;
}

// A longer address does not fit on a button.
const maxButtonChars = 60;

/**
 * Returns the button of the owner's link.
 * Its text is its address, so that it can promise nothing else.
 */
function linkButton(link: string): string {
  const address = readableUrl(link)
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  const shown =
    address.length > maxButtonChars
      ? `${address.slice(0, maxButtonChars).toWellFormed()}…`
      : address;
  return `<a class="button primary" href="${escaped(locationHeader(link))}" rel="noreferrer nofollow">${icon('outside', 16)}<bdi dir="ltr">${escaped(shown)}</bdi></a>`;
}

/**
 * Returns the 410 page of a code that does not redirect.
 *
 * @param path of the short link, without the leading slash
 */
export function closedCodePage(
  visit: Visit,
  status: Exclude<QrStatus, 'active' | 'paused'>,
  path: string,
): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  const cards: Readonly<Record<typeof status, Card>> = {
    blocked: {
      sign: 'bar',
      title: texts.blockedTitle,
      text: texts.blockedText,
      more: `<p class="soft">${texts.blockedAdvice}</p>`,
    },
    stopped: { sign: 'minus', title: texts.stoppedTitle, text: texts.stoppedText },
  };
  return cardPage(visit, language, 410, { ...cards[status], foot: shortLinkFoot(visit, path) });
}

/**
 * Returns the warning about a flagged destination, with status 200: the person can still go there.
 *
 * @param flagged.list name of the list or check that flagged it
 * @param path of the short link, without the leading slash
 */
export function warningPage(
  visit: Visit,
  { location, list }: { readonly location: string; readonly list: string },
  path: string,
): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  const beginning = truncateUrl(location);
  const address = (text: string, end = '') =>
    `<p class="address" dir="ltr">${withBoldHost(text)}${end}</p>`;
  const whole =
    escaped(location).length > maxShownTwice
      ? ''
      : `\n<details><summary>${texts.wholeAddress}</summary>${address(location)}</details>`;
  const shown = beginning === null ? address(location) : `${address(beginning, '…')}${whole}`;
  return cardPage(visit, language, 200, {
    sign: 'triangle',
    tone: 'alarm',
    title: texts.warningTitle,
    text: warningReason(texts, list),
    more: `${shown}
<p><b>${texts.ifUnsure}</b></p>
<p class="small"><a href="${escaped(location)}" rel="noreferrer nofollow">${texts.continueAnyway}</a></p>`,
    foot: shortLinkFoot(visit, path),
  });
}

// The link has the address already: with a longer one in its text too, a page would have more than 8,000 bytes.
const maxShownTwice = 1000;

/** Returns an address as HTML with its host in bold. */
function withBoldHost(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)?([^/?#]*)(.*)$/is.exec(url) ?? [];
  return `${escaped(scheme)}<b>${escaped(host)}</b>${escaped(rest)}`;
}

function warningReason(texts: VisitorTexts, list: string): string {
  const source = flagSource(list);
  if (source === 'operator') return texts.flaggedByOperator;
  if (source === 'built-in') return texts.testAddress;
  if (source === 'remote check') return texts.flaggedByService;
  return texts.flaggedByList(`<bdi>${escaped(list)}</bdi>`);
}

/** Returns the 500 page. The request id is the only detail of the error. */
export function errorPage(visit: Visit, requestId: string): Response {
  const language = preferredLanguage(visit.acceptLanguage);
  const texts = languages[language];
  return cardPage(visit, language, 500, {
    sign: 'cloud',
    tone: 'warn',
    title: texts.errorTitle,
    text: texts.errorText,
    more: tryAgainButton(texts),
    foot: texts.request(`<bdi>${escaped(requestId)}</bdi>`),
  });
}

// The following are for people who look after codes, whose panel is in English.

/** Returns the 503 page of everything else while the server only redirects. */
export function redirectOnlyPage(visit: Visit): Response {
  const text = `Printed QR codes work. The account panel and the API are off until the operator of this server has acted:
its log and <b>/healthz</b> say why.`;
  const card = { sign: 'cloud', tone: 'warn', title: 'This server only redirects', text } as const;
  return cardPage(visit, 'en', 503, card, retryAfterOperator);
}

/** Returns the page in place of one of the app, which is starting or was lost during the request. */
export function appAwayPage(
  visit: Visit,
  absence: 'starting' | 'interrupted',
  headers: Readonly<Record<string, string>>,
): Response {
  const [title, text] =
    absence === 'starting'
      ? [
          'One moment, please',
          'The server is starting. Nothing was changed. Reload this page in a few seconds.',
        ]
      : [
          'The server was interrupted',
          'What you sent may have been done, or not. Go back, reload the page, and look before you send it again.',
        ];
  return cardPage(visit, 'en', 503, { sign: 'cloud', tone: 'warn', title, text }, headers);
}

/** Returns the 404 page of a path below the server's own pages. */
export function notFoundPage(visit: Visit): Response {
  const text = 'There is no page at this address.';
  return cardPage(visit, 'en', 404, { sign: 'question', title: 'Page not found', text });
}
