import { one } from './dom.ts';

/** Keeps a colour well and its text field the same; an empty field shows the colour it follows. */
export function joinColor(field: HTMLElement): void {
  const well = one('input[type=color]', HTMLInputElement, field);
  const text = one('input[type=text]', HTMLInputElement, field);
  if (!well || !text) return;
  const followed = field.dataset['follows'];
  const other = followed ? document.getElementById(followed) : null;
  const show = () => {
    const typed = text.value.trim() || (other instanceof HTMLInputElement ? other.value : '');
    const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed)?.[1];
    if (digits) well.value = `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  };
  well.hidden = false;
  show();
  text.addEventListener('input', show);
  text.addEventListener('change', show);
  other?.addEventListener('input', show);
  other?.addEventListener('change', show);
  well.addEventListener('input', () => {
    text.value = well.value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Shows the value of a slider beside it. */
export function showValue(output: HTMLOutputElement): void {
  const slider = document.getElementById(output.htmlFor.value);
  if (!(slider instanceof HTMLInputElement)) return;
  const show = () => {
    output.textContent = `${slider.value} ${output.dataset['unit'] ?? ''}`;
  };
  slider.addEventListener('input', show);
  slider.addEventListener('change', show);
}

/** Takes a file that is dropped on the field. */
export function takeDrops(zone: HTMLElement): void {
  const input = one('input[type=file]', HTMLInputElement, zone);
  if (!input) return;
  for (const type of ['dragenter', 'dragover'] as const)
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.add('over');
    });
  for (const type of ['dragleave', 'drop'] as const)
    zone.addEventListener(type, () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    input.files = files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}
