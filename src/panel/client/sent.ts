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

/** What was sent to an address and may not have arrived. It is given once. */
export function takeSent(name: string): string | null {
  const sent = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return sent;
}

/** Lets go of what has arrived, and of everything once somebody has signed out or another account in. */
export function forgetSent(): void {
  const query = new URLSearchParams(location.search);
  const isOver = (name: string) =>
    query.has('goodbye') || (account !== undefined && !name.startsWith(nameOfSent('')));
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(prefix) && isOver(name)) sessionStorage.removeItem(name);
  const { pathname } = location;
  const done = query.get('done');
  if (done === 'created')
    sessionStorage.removeItem(nameOfSent(pathname.slice(0, pathname.lastIndexOf('/'))));
  if (done === 'destination') sessionStorage.removeItem(nameOfSent(`${pathname}/destination`));
  if (done === 'saved') sessionStorage.removeItem(nameOfSent(pathname));
}
