import { all, one } from './dom.ts';

/** Shows a check box that ticks all check boxes of the form named by `data-check-all`. */
export function enableCheckAll(label: HTMLElement): void {
  const box = one('input', HTMLInputElement, label);
  const form = label.dataset['checkAll'];
  if (!box || !form) return;
  const boxes = all(`input[type=checkbox][form="${form}"]`, HTMLInputElement);
  const update = () => {
    box.checked = boxes.every((each) => each.checked);
  };
  label.hidden = false;
  box.addEventListener('change', () => {
    for (const each of boxes) each.checked = box.checked;
  });
  for (const each of boxes) each.addEventListener('change', update);
  // After going back, browsers restore the boxes.
  update();
}

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
