import { all, one } from './dom.ts';

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
    if (!(await openDialog(link, link.href))) location.assign(link.href);
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

/** Shows a page in a dialog, and returns whether it can. */
async function openDialog(opener: Element, url: string, init?: RequestInit): Promise<boolean> {
  if (opener.ariaBusy === 'true') return true;
  opener.ariaBusy = 'true';
  try {
    const response = await fetch(url, init);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
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

/** Shows an element in a dialog, which is removed when it closes. The focus goes back to where it was. */
export function showDialog(content: HTMLElement): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  const title = one('h1', HTMLElement, content);
  if (title) {
    title.id ||= 'dialog-title';
    dialog.setAttribute('aria-labelledby', title.id);
  }
  dialog.append(content);
  document.body.append(dialog);
  const shown = <T extends Element>(selector: string, type: new () => T) =>
    all(selector, type, dialog).find((element) => element.checkVisibility());
  const focusField = () =>
    shown('input:not([type=hidden]), select, textarea', HTMLElement)?.focus();
  for (const close of dialog.querySelectorAll('[data-close]'))
    close.addEventListener('click', (event) => {
      event.preventDefault();
      dialog.close();
    });
  for (const details of all('details', HTMLDetailsElement, dialog))
    details.addEventListener('toggle', () => {
      if (details.open) focusField();
    });
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    shown('button.primary', HTMLButtonElement)?.click();
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.showModal();
  focusField();
  return dialog;
}
