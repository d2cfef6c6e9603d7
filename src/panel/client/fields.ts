import { one } from './dom.ts';

/** Runs a function now and after each change of a field. */
function followField(field: HTMLElement, update: () => void): void {
  field.addEventListener('input', update);
  update();
}

/** Keeps a colour picker and its text field in sync. If empty, it shows the followed field's colour. */
export function syncColorField(field: HTMLElement): void {
  const picker = one('input[type=color]', HTMLInputElement, field);
  const text = one('input[type=text]', HTMLInputElement, field);
  if (!picker || !text) return;
  const followedId = field.dataset['follows'];
  const followed = followedId ? document.getElementById(followedId) : null;
  const updatePicker = () => {
    const typed = text.value.trim() || (followed instanceof HTMLInputElement ? followed.value : '');
    const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed)?.[1];
    if (digits) picker.value = `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  };
  picker.hidden = false;
  followField(text, updatePicker);
  if (followed) followField(followed, updatePicker);
  picker.addEventListener('input', () => {
    text.value = picker.value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Shows the value of a range input in its output element. */
export function showSliderValue(output: HTMLOutputElement): void {
  const slider = document.getElementById(output.htmlFor.value);
  if (!(slider instanceof HTMLInputElement)) return;
  followField(slider, () => {
    output.textContent = `${slider.value} ${output.dataset['unit'] ?? ''}`;
  });
}

/** Shows and hides the password in the field before a button. */
export function enableShowButton(button: HTMLButtonElement): void {
  const field = button.previousElementSibling;
  if (!(field instanceof HTMLInputElement)) return;
  const show = (isShown: boolean) => {
    field.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? 'Hide' : 'Show';
    button.ariaPressed = String(isShown);
  };
  button.addEventListener('click', () => show(field.type === 'password'));
  // Browsers remember text fields, and offer to save passwords only.
  field.form?.addEventListener('submit', () => show(false));
}
