import { all, create, createButton, one, pageOf } from './dom.ts';
import { isValueField } from './fields/fields.ts';
import { client as t } from './texts.ts';

/** Selects fields that people fill in. */
const fields = 'input:not([type=hidden], [readonly]), select, textarea';

/**
 * Opens the small pages of links with `data-dialog` in a dialog over the page.
 * What is none is opened as a page.
 */
export function enableDialogs(): void {
  document.addEventListener('click', async (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-dialog]') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    if (event.defaultPrevented || opensElsewhere(link, event)) return;
    event.preventDefault();
    await openPage(link, addressOf(link));
  });
}

/** Returns whether a click opens a link in another tab or window, or saves it. */
function opensElsewhere(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const isElsewhere = link.target !== '' || link.hasAttribute('download');
  return isElsewhere || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/** Returns the address of a link, with the value of the field that it carries to its page. */
function addressOf(link: HTMLAnchorElement): string {
  const { carries = '' } = link.dataset;
  const field = link.closest('form')?.elements.namedItem(carries);
  if (!isValueField(field) || field.value === '') return link.href;
  const url = new URL(link.href);
  url.searchParams.set(carries, field.value);
  return url.href;
}

/** Opens a page in a dialog over the current one if it is small. */
export async function openPage(opener: Element, url: string): Promise<void> {
  if (opener.ariaBusy === 'true') return;
  const content = readyDialog(url) ?? (await fetchDialog(opener, url));
  if (!content) return location.assign(url);
  // The focus goes back to the button of the menu.
  const menu = opener.closest(':popover-open');
  if (menu instanceof HTMLElement) menu.hidePopover();
  const dialog = opener.closest('dialog');
  if (dialog) fill(dialog, content);
  else showDialog(content);
}

/** Fetches the page of a dialog. */
async function fetchDialog(opener: Element, url: string): Promise<HTMLElement | undefined> {
  opener.ariaBusy = 'true';
  const response = await fetch(url).catch(() => null);
  const page = response?.ok ? await pageOf(response) : null;
  opener.ariaBusy = null;
  return page === null ? undefined : one('.dialog', HTMLElement, page);
}

const attemptBytes = 16;

/** Returns a dialog that the page has already, as a form of its own. */
function readyDialog(url: string): HTMLElement | undefined {
  const path = ({ dataset: { of = '' } }: HTMLTemplateElement) => new URL(of, location.href).href;
  const template = all('template[data-of]', HTMLTemplateElement).find(
    (one) => path(one) === new URL(url, location.href).href,
  );
  const dialog =
    template && one('.dialog', HTMLElement, document.importNode(template.content, true));
  if (dialog)
    for (const field of all('input[name=attempt]', HTMLInputElement, dialog))
      field.value = String(crypto.getRandomValues(new Uint8Array(attemptBytes)));
  return dialog;
}

/** Finds the elements that opened dialogs in a page that takes the place of theirs. */
const openers = new WeakMap<HTMLDialogElement, string>();

/** Returns a selector of what opened a dialog, for the page after it. */
export function openerOf(dialog: HTMLDialogElement | null): string | undefined {
  return dialog === null ? undefined : openers.get(dialog);
}

/** Returns a selector by what stays the same from page to page. */
function selectorOf(element: Element): string | undefined {
  const row = element.closest('tr[id]');
  const within = row ? `#${CSS.escape(row.id)} ` : '';
  const name = ['id', 'href', 'popovertarget', 'value'].find((one) => element.hasAttribute(one));
  if (name === undefined) return undefined;
  return `${within}${element.localName}[${name}="${CSS.escape(element.getAttribute(name) ?? '')}"]`;
}

/** Shows an element in a dialog, which is removed when it closes. The focus goes back to where it was. */
export function showDialog(content: HTMLElement): HTMLDialogElement {
  const dialog = create('dialog', {});
  const opener = document.activeElement && selectorOf(document.activeElement);
  if (opener) openers.set(dialog, opener);
  document.body.append(dialog);
  // Before what closes it.
  askBeforeDiscarding(dialog);
  dialog.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    if (!event.target.closest('[data-close]')) return;
    event.preventDefault();
    dialog.close();
  });
  // The event does not bubble.
  const focusOpened = ({ target }: Event) => {
    // Those of an answer are open, and it focuses what was rejected.
    if (document.activeElement?.matches(fields)) return;
    if (target instanceof HTMLDetailsElement && target.open) focusField(target);
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

/** Gives the field that a button names the value of the button, when it is clicked. */
export function enableFillButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-fill]') : null;
    if (!(button instanceof HTMLButtonElement)) return;
    const field = button.form?.elements.namedItem(button.dataset['fill'] ?? '');
    if (!isValueField(field)) return;
    field.value = button.value;
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    field.focus();
  });
}

/** Asks once before Escape, Cancel or a link throws away what was typed in a dialog. */
function askBeforeDiscarding(dialog: HTMLDialogElement): void {
  let isTyped = false;
  dialog.addEventListener('input', () => {
    isTyped = true;
  });
  // What was sent is not lost: the answer to it has no fields, or shows them again.
  const mustAsk = () =>
    isTyped && firstShown(dialog, fields) && !one('.discard', HTMLElement, dialog);
  const ask = (leave: () => void) => {
    const question = create('div', { className: 'discard', role: 'alert' });
    const keep = createButton(t.keepTyping, () => {
      question.remove();
      focusField(dialog);
    });
    const discard = createButton(t.throwAway, () => {
      isTyped = false;
      question.remove();
      leave();
    });
    question.append(create('p', { textContent: t.throwAwayQuestion }), keep, discard);
    (one('.dialog', HTMLElement, dialog) ?? dialog).append(question);
    keep.focus();
  };
  dialog.addEventListener('cancel', (event) => {
    if (!mustAsk()) return;
    event.preventDefault();
    ask(() => dialog.close());
  });
  dialog.addEventListener('click', (event) => {
    const way =
      event.target instanceof Element ? event.target.closest('[data-close], a[href]') : null;
    if (!(way instanceof HTMLElement) || 'carries' in way.dataset || !mustAsk()) return;
    const isLink = way instanceof HTMLAnchorElement;
    if (isLink && !('close' in way.dataset) && opensElsewhere(way, event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(() => way.click());
  });
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

/** Focuses the field that the page focuses, the first one that was rejected, or the first one. */
function focusField(within: HTMLElement): void {
  const field =
    firstShown(within, '[autofocus]') ??
    firstShown(within, '[aria-invalid=true]') ??
    firstShown(within, fields);
  field?.focus();
  if (field) selectReplaced(field);
}

/** Selects the text of a field that is mostly replaced, unless it was rejected. */
export function selectReplaced(field: Element): void {
  if (!(field instanceof HTMLInputElement) || !('select' in field.dataset)) return;
  if (field.ariaInvalid !== 'true') field.select();
}

function firstShown(within: HTMLElement, selector: string): HTMLElement | undefined {
  return all(selector, HTMLElement, within).find((element) => element.checkVisibility());
}
