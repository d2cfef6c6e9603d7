import { one } from './dom.ts';

/** Shows the small page that a link leads to in a dialog over this one. If it cannot, follows the link. */
export function enableDialogLink(link: HTMLAnchorElement): void {
  link.addEventListener('click', async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const response = await fetch(link.href);
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const content = one('.dialog', HTMLElement, page);
      if (!content) throw new Error('the page is no dialog');
      showDialog(content);
    } catch {
      location.assign(link.href);
    }
  });
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
  for (const close of dialog.querySelectorAll('[data-close]'))
    close.addEventListener('click', (event) => {
      event.preventDefault();
      dialog.close();
    });
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    one('form', HTMLFormElement, dialog)?.requestSubmit();
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.showModal();
  return dialog;
}
