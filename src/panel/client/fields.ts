import { all, one } from './dom.ts';

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

/** Checks a form after each change of a field, and shows what its page then says about it. */
export function enableLiveForm(form: HTMLFormElement): void {
  let pending: AbortController | undefined;
  form.addEventListener('change', async () => {
    pending?.abort();
    pending = new AbortController();
    const fields = new FormData(form);
    fields.set('do', 'check');
    const init = { method: 'POST', body: fields, signal: pending.signal };
    // Without an answer, the form is checked when it is sent.
    const response = await fetch(form.action, init).catch(() => null);
    if (response === null) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const shown of all('[data-live], form[data-live-form] .error', HTMLElement)) {
      const next = page.getElementById(shown.id);
      if (next && !next.isEqualNode(shown)) shown.replaceWith(next);
    }
    for (const field of all('[aria-describedby]', HTMLElement, form))
      field.ariaInvalid = page.getElementById(field.id)?.ariaInvalid ?? null;
  });
}
