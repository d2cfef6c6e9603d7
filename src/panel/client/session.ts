import { showDialog } from './dialog.ts';
import { all, one, pageOf } from './dom.ts';

const sentMs = 3_000;

/** Returns the address of a page of the panel. */
function addressOf(page: string): string {
  return `${one('.brand', HTMLAnchorElement)?.href ?? '/account'}${page}`;
}

/** Returns the CSRF token of the session, or null when it has ended. Rejects without a server. */
async function currentToken(): Promise<string | null> {
  const session: { csrf: string | null } = await (await fetch(addressOf('/session'))).json();
  return session.csrf;
}

/** Asks before a form is sent whether the session goes on. If it has ended, signs in again over the page first. */
export function keepSession(): void {
  let isAsked = false;
  document.addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    if (isAsked || event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (!one('input[name=csrf]', HTMLInputElement, form)) return;
    event.preventDefault();
    // It was about the change before.
    for (const toast of all('.toast', HTMLElement)) if (!toast.contains(form)) toast.remove();
    if (submitter?.ariaBusy === 'true') return;
    if (submitter) submitter.ariaBusy = 'true';
    const canSend = await ensureSession().catch(() => true);
    const end = () => {
      if (submitter) submitter.ariaBusy = null;
    };
    if (!canSend) {
      end();
      return;
    }
    isAsked = true;
    form.requestSubmit(submitter);
    isAsked = false;
    if ('closes' in form.dataset) form.closest('dialog')?.close();
    // A download leaves the page as it is.
    setTimeout(end, sentMs);
  });
}

/** Resolves once there is a session; with false if the person does not sign in. */
export async function ensureSession(): Promise<boolean> {
  if ((await currentToken()) !== null) return true;
  const content = cardOf(await pageOf(await fetch(addressOf('/sign-in'))));
  if (!content) return false;
  const title = one('h1', HTMLElement, content);
  if (title) title.textContent = 'Sign in again';
  const text = one('p', HTMLElement, content);
  if (text) text.textContent = 'Your session has ended. Your changes are kept.';
  const dialog = showDialog(content);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(false));
    dialog.addEventListener('submit', async (event) => {
      event.preventDefault();
      const form = one('form', HTMLFormElement, dialog);
      if (!form) return;
      const response = await fetch(form.action, { method: 'POST', body: new FormData(form) });
      const token = await currentToken();
      if (token === null) {
        const next = one('form', HTMLFormElement, cardOf(await pageOf(response)) ?? dialog);
        if (next) form.replaceWith(next);
        one('[autofocus]', HTMLElement, dialog)?.focus();
        return;
      }
      for (const field of all('input[name=csrf]', HTMLInputElement)) field.value = token;
      resolve(true);
      dialog.close();
    });
  });
}

/** Returns the card of the sign-in page as the content of a dialog. */
function cardOf(page: Document): HTMLElement | undefined {
  const card = one('.door .card', HTMLElement, page);
  card?.classList.add('dialog');
  return card;
}
