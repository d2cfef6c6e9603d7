/**
 * What was sent to the server and may not have arrived, because the session had ended or the design is
 * refused. The tab keeps it until it has arrived, for the account that sent it alone.
 */

const prefix = 'sent ';

/** The account that is signed in, or nothing. */
export const account = document.body.dataset['account'];

/** Under which name the tab keeps what was sent to an address. */
export function nameOfSent(path: string): string {
  return `${prefix}${account} ${path}`;
}

const nameOfLast = nameOfSent('last');

/** Notes which form is on its way. */
export function noteSending(name: string): void {
  sessionStorage.setItem(nameOfLast, name);
}

/** Keeps what is sent under its name until it has arrived; throws where the browser has no room. */
export function keepSent(name: string, sent: string): void {
  sessionStorage.setItem(name, sent);
}

/** What was sent to an address and may not have arrived. It is given once. */
export function takeSent(name: string): string | null {
  const sent = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return sent;
}

/** How the page was opened: anew, by a reload, or by going back or forward. */
export function opening(): NavigationTimingType | undefined {
  const [opened] = performance.getEntriesByType('navigation');
  return opened instanceof PerformanceNavigationTiming ? opened.type : undefined;
}

/** Lets go of what has arrived, and of everything once somebody has signed out or another account in. */
export function forgetSent(): void {
  const isOut = new URLSearchParams(location.search).has('signedOut');
  const isOver = (name: string) =>
    isOut || (account !== undefined && !name.startsWith(nameOfSent('')));
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix) && isOver(name)) sessionStorage.removeItem(name);
  if (hasArrived()) takeSent(takeSent(nameOfLast) ?? '');
}

/** Whether the page tells that what was sent last is done. It tells it once more to whoever goes back. */
function hasArrived(): boolean {
  return opening() !== 'back_forward' && document.querySelector('.notice.good') !== null;
}
