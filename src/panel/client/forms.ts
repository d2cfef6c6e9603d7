import { fill, openerOf, showDialog } from './dialog.ts';
import { all, one, pageOf } from './dom.ts';
import { showPage } from './page.ts';

const downloadingMs = 3_000;

/**
 * Sends the forms of a session, each once, and shows what they are answered with.
 * The form stays on the page until another page takes its place, so that nothing that was typed is lost.
 */
export function enableForms(): void {
  document.addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    // One with a target is sent by the browser: what follows needs another script.
    if (accountOf(form) === undefined || form.target) return;
    // It was about the change before.
    for (const toast of all('.toast', HTMLElement)) if (!toast.contains(form)) toast.remove();
    const isBusy = submitter?.ariaBusy === 'true';
    const isDownload = 'download' in form.dataset;
    if (isBusy || !isDownload) event.preventDefault();
    if (isBusy) return;
    if (submitter) submitter.ariaBusy = 'true';
    const end = () => {
      if (submitter) submitter.ariaBusy = null;
    };
    if (isDownload) {
      // Browsers save files better than scripts. The page stays as it is.
      if ('closes' in form.dataset) form.closest('dialog')?.close();
      setTimeout(end, downloadingMs);
    } else await send(form, submitter).finally(end);
  });
}

/** Sends a form and shows the answer. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const to = submitter?.getAttribute('formaction') ?? form.action;
  const body = new FormData(form, submitter);
  let response: Response;
  let page: Document;
  try {
    response = await fetch(to, { method: 'POST', body });
    page = await pageOf(response);
  } catch {
    const lost = one('#no-answer', HTMLTemplateElement)?.content.firstElementChild?.cloneNode(true);
    if (lost instanceof HTMLElement) showDialog(lost);
    return;
  }
  if (response.status === 401) {
    if (await authenticate(page, form)) await send(form, submitter);
    return;
  }
  const failure = one('[data-failure]', HTMLElement, page);
  const answer = one('.dialog', HTMLElement, page);
  const dialog = form.closest('dialog');
  const opensDialog = submitter !== null && 'dialog' in submitter.dataset;
  if (failure) {
    adoptSession(page, form);
    showDialog(failure);
  } else if (answer && dialog && !response.redirected) fill(dialog, answer);
  else if (answer && opensDialog) {
    // The focus goes back to the button of the menu.
    const menu = submitter.closest(':popover-open');
    if (menu instanceof HTMLElement) menu.hidePopover();
    showDialog(answer);
  } else await showPage(page, response, openerOf(dialog));
}

/**
 * Asks over a form to sign in again, or to confirm who is signed in.
 * Resolves with true once the account that the form names is, and with false if nobody is. If it is another account,
 * its page takes the place of the form.
 *
 * @param page the answer to the form: 401
 */
export async function authenticate(page: Document, form: HTMLFormElement): Promise<boolean> {
  const account = accountOf(form);
  const card = questionOf(page);
  if (!card || account === undefined) return false;
  const dialog = showDialog(card);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(false));
    dialog.addEventListener('submit', async (event) => {
      event.preventDefault();
      const question = event.target;
      if (!(question instanceof HTMLFormElement)) return;
      const body = new FormData(question);
      body.set('again', account);
      const response = await fetch(question.action, { method: 'POST', body }).catch(() => null);
      if (response === null) return;
      const next = await pageOf(response);
      const nextCard = response.redirected ? undefined : questionOf(next);
      if (nextCard) fill(dialog, nextCard);
      else if (adoptSession(next, form)) {
        resolve(true);
        dialog.close();
      } else await showPage(next, response);
    });
  });
}

/** Returns the account that a form of a session names. */
function accountOf(form: ParentNode): string | undefined {
  return one('input[type=hidden][name=account]', HTMLInputElement, form)?.value;
}

/**
 * Gives the forms of the page the token of another page.
 * Returns whether that is of the account of a form.
 */
function adoptSession(page: Document, form: HTMLFormElement): boolean {
  const token = one('input[name=csrf]', HTMLInputElement, page)?.value;
  if (token === undefined || accountOf(page) !== accountOf(form)) return false;
  const dialogs = all('template', HTMLTemplateElement).map(({ content }) => content);
  for (const part of [document, ...dialogs])
    for (const field of all('input[name=csrf]', HTMLInputElement, part)) field.value = token;
  return true;
}

/** Returns the card of a page that asks who it is. */
function questionOf(page: Document): HTMLElement | undefined {
  const card = one('.door .card, .dialog', HTMLElement, page);
  card?.classList.add('dialog');
  return card;
}
