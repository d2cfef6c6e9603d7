import { one } from './dom.ts';

/** Focuses the field of a disclosure when it opens. Escape closes it and gives the focus back. */
export function focusOnOpen(details: HTMLDetailsElement): void {
  const field = one('input[type=text]', HTMLInputElement, details);
  details.addEventListener('toggle', () => {
    if (details.open) field?.select();
  });
  details.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    details.open = false;
    one('summary', HTMLElement, details)?.focus();
  });
}
