import { all, one } from './dom.ts';

/** Name of the event of the document when another page has taken the place of the current one. */
const shownEvent = 'waymark-page';

/**
 * Calls a function for the page, and for each one that takes its place.
 *
 * @param enable gets a signal that aborts when its page goes
 */
export function onPage(enable: (signal: AbortSignal) => void): void {
  let current = new AbortController();
  enable(current.signal);
  document.addEventListener(shownEvent, () => {
    current.abort();
    current = new AbortController();
    enable(current.signal);
  });
}

/**
 * Shows the page that a form was answered with, as a browser does that sends the form itself.
 *
 * @param opener selector of what opened the form, which gets the focus if the page is the same
 */
export async function showPage(page: Document, response: Response, opener?: string): Promise<void> {
  // It reloads itself until something is done. Only browsers do that.
  if (response.headers.has('Refresh')) return location.assign(response.url);
  const { lang, dir } = page.documentElement;
  // This script has the texts of one language. What was rejected is no page to go to.
  if (lang !== document.documentElement.lang && response.redirected)
    return location.assign(response.url);
  Object.assign(document.documentElement, { lang, dir });
  const url = new URL(response.url);
  const isSamePage = url.pathname === location.pathname && url.search === location.search;
  if (!isSamePage) history.pushState(null, '', url);
  document.title = page.title;
  document.body.replaceWith(document.adoptNode(page.body));
  // Scripts of a parsed page do not run by themselves.
  for (const script of all('body script[src]', HTMLScriptElement)) await import(script.src);
  document.dispatchEvent(new Event(shownEvent));
  const back = isSamePage && opener ? one(opener, HTMLElement) : undefined;
  const focused =
    one('[autofocus]', HTMLElement) ?? (back?.checkVisibility() ? back : one('h1', HTMLElement));
  if (focused?.matches('h1')) focused.tabIndex = -1;
  focused?.focus({ preventScroll: isSamePage });
  if (!isSamePage) scrollTo(0, 0);
}

/** Opens the page of an address that the browser goes back to, unless it is the shown one. */
export function enableHistory(): void {
  let shown = location.pathname + location.search;
  document.addEventListener(shownEvent, () => {
    shown = location.pathname + location.search;
  });
  window.addEventListener('popstate', () => {
    if (location.pathname + location.search !== shown) location.reload();
  });
}
