import { create, createButton } from './dom.ts';
import { client as t } from './texts.ts';

const shownMs = 5_000;
const undoableMs = 10_000;

/** Removes a message in passing after some seconds, unless it is looked at. */
export function enableToast(toast: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stay = () => clearTimeout(timer);
  const start = () => {
    stay();
    if (toast.matches(':hover, :focus-within')) return;
    timer = setTimeout(() => toast.remove(), toast.querySelector('button') ? undoableMs : shownMs);
  };
  for (const event of ['mouseenter', 'focusin']) toast.addEventListener(event, stay);
  for (const event of ['mouseleave', 'focusout']) toast.addEventListener(event, start);
  // Screen readers announce a status that changes, not one that is there at first.
  const text = toast.querySelector('span');
  text?.replaceChildren(...[...text.childNodes].map((node) => node.cloneNode(true)));
  start();
}

/** Shows a message in passing, with a button that undoes what it is about. */
export function showToast(text: string, undo: () => void): void {
  for (const shown of document.querySelectorAll('.toast')) shown.remove();
  const toast = create('div', { className: 'toast', role: 'status' });
  document.body.append(toast);
  toast.append(
    create('span', { textContent: text }),
    createButton(t.undo, () => {
      toast.remove();
      undo();
    }),
  );
  enableToast(toast);
}
