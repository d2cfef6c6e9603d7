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
