import { all, create, one, pageOf } from './dom.ts';

/**
 * Opens the small pages of links and of buttons of forms with `data-dialog` in a dialog over the page. What is none,
 * such as the sign-in page after the end of a session, is opened as a page.
 */
export function enableDialogs(): void {
  document.addEventListener('click', async (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-dialog]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await openPage(link, link.href);
  });
  document.addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement && submitter instanceof HTMLButtonElement)) return;
    if (!('dialog' in submitter.dataset)) return;
    event.preventDefault();
    const body = new FormData(form, submitter);
    if (await openDialog(submitter, form.action, { method: 'POST', body })) return;
    delete submitter.dataset['dialog'];
    form.requestSubmit(submitter);
  });
}

/** Opens a page in a dialog over the current one if it is small. */
export async function openPage(opener: Element, url: string): Promise<void> {
  if (!(await openDialog(opener, url))) location.assign(url);
}

/** Shows a page in a dialog, and returns whether it can. */
async function openDialog(opener: Element, url: string, init?: RequestInit): Promise<boolean> {
  if (opener.ariaBusy === 'true') return true;
  opener.ariaBusy = 'true';
  try {
    const response = await fetch(url, init);
    const page = await pageOf(response);
    const content = one('.dialog', HTMLElement, page);
    if (!response.ok || !content) return false;
    // The focus goes back to the button of the menu.
    const menu = opener.closest(':popover-open');
    if (menu instanceof HTMLElement) menu.hidePopover();
    showDialog(content);
    return true;
  } catch {
    return false;
  } finally {
    opener.ariaBusy = null;
  }
}

/**
 * Sends forms of dialogs with `data-in-place`, whose rejections are shown in the dialog. It listens after what may stop
 * a form, such as a session that has ended.
 */
export function enableFormsInPlace(): void {
  document.addEventListener('submit', async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    const dialog = form.closest('dialog');
    if (!dialog || !('inPlace' in form.dataset)) return;
    event.preventDefault();
    const body = new FormData(form, submitter);
    const headers = { 'Waymark-Location': 'yes' };
    try {
      const response = await fetch(form.action, { method: 'POST', body, headers });
      const to = response.headers.get('Location');
      if (to !== null) return goTo(new URL(to, location.href));
      const page = await pageOf(response);
      const content = one('.dialog', HTMLElement, page);
      if (!content) throw new Error('the page is no dialog');
      fill(dialog, content);
    } catch {
      form.submit();
    }
  });
}

/** Opens a page, also if it is the current one with another fragment. */
function goTo(url: URL): void {
  const isCurrent = url.pathname + url.search === location.pathname + location.search;
  if (isCurrent) {
    history.replaceState(null, '', url);
    location.reload();
  } else location.assign(url);
}

/** Shows an element in a dialog, which is removed when it closes. The focus goes back to where it was. */
export function showDialog(content: HTMLElement): HTMLDialogElement {
  const dialog = create('dialog', {});
  document.body.append(dialog);
  dialog.addEventListener('click', (event) => {
    if (!(event.target instanceof Element && event.target.closest('[data-close]'))) return;
    event.preventDefault();
    dialog.close();
  });
  // The event does not bubble.
  const focusOpened = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open) focusField(dialog);
  };
  dialog.addEventListener('toggle', focusOpened, true);
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    firstShown(dialog, 'button.primary')?.click();
  });
  dialog.addEventListener('close', () => dialog.remove());
  fill(dialog, content);
  dialog.showModal();
  focusField(dialog);
  return dialog;
}

/** Gives a dialog its content and its name. */
function fill(dialog: HTMLDialogElement, content: HTMLElement): void {
  const title = one('h1', HTMLElement, content);
  if (title) {
    title.id ||= 'dialog-title';
    dialog.setAttribute('aria-labelledby', title.id);
  }
  dialog.replaceChildren(content);
  focusField(dialog);
}

/** Focuses the first field that was rejected, or the first one. */
function focusField(dialog: HTMLDialogElement): void {
  const field =
    firstShown(dialog, '[aria-invalid=true]') ??
    firstShown(dialog, 'input:not([type=hidden]), select, textarea');
  field?.focus();
}

function firstShown(dialog: HTMLDialogElement, selector: string): HTMLElement | undefined {
  return all(selector, HTMLElement, dialog).find((element) => element.checkVisibility());
}
