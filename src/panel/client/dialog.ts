import { all, create, one, pageOf } from './dom.ts';

/** Opens the small pages of links with `data-dialog` in a dialog over the page. What is none is opened as a page. */
export function enableDialogs(): void {
  document.addEventListener('click', async (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-dialog]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await openPage(link, link.href);
  });
}

/** Opens a page in a dialog over the current one if it is small. */
export async function openPage(opener: Element, url: string): Promise<void> {
  if (opener.ariaBusy === 'true') return;
  opener.ariaBusy = 'true';
  const response = await fetch(url).catch(() => null);
  const page = response?.ok ? await pageOf(response) : null;
  opener.ariaBusy = null;
  const content = page === null ? undefined : one('.dialog', HTMLElement, page);
  if (!content) return location.assign(url);
  // The focus goes back to the button of the menu.
  const menu = opener.closest(':popover-open');
  if (menu instanceof HTMLElement) menu.hidePopover();
  showDialog(content);
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
export function fill(dialog: HTMLDialogElement, content: HTMLElement): void {
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
