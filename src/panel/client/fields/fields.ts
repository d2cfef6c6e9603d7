import { all, one, pageOf } from '../dom.ts';
import { client as t } from '../texts.ts';

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
  const texts = (output.dataset['texts'] ?? '').split('|');
  followField(slider, () => {
    output.textContent = texts[Number(slider.value) - Number(slider.min)] ?? slider.value;
  });
}

/**
 * Shows what is typed into fields in the elements of the page that mirror them.
 * An empty one shows its `data-empty`, or is hidden without it.
 */
export function enableMirrors(): void {
  document.addEventListener('input', ({ target }) => {
    if (!isValueField(target)) return;
    const value = target instanceof HTMLSelectElement ? chosenText(target) : target.value;
    for (const mirror of all(`[data-mirrors="${CSS.escape(target.name)}"]`, HTMLElement)) {
      const shown = target.inputMode === 'url' ? value.replace(/^https?:\/\//i, '') : value;
      mirror.textContent = shown.trim() || (mirror.dataset['empty'] ?? '');
      mirror.hidden = mirror.textContent === '';
    }
  });
}

/** Returns the text of what is chosen; empty for the choice that is none. */
function chosenText({ value, selectedOptions: [option] }: HTMLSelectElement): string {
  return value === '' ? '' : (option?.text ?? '');
}

/** Shows and hides the passwords in fields before buttons with `data-show`, also in dialogs. */
export function enableShowButtons(): void {
  const show = (button: HTMLButtonElement, isShown: boolean) => {
    const field = button.previousElementSibling;
    if (field instanceof HTMLInputElement) field.type = isShown ? 'text' : 'password';
    button.textContent = isShown ? t.hidePassword : t.showPassword;
    button.ariaPressed = String(isShown);
  };
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && 'show' in target.dataset)
      show(target, target.ariaPressed !== 'true');
  });
  // Browsers remember text fields, and offer to save passwords only.
  document.addEventListener('submit', ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return;
    for (const button of all('[data-show]', HTMLButtonElement, target)) show(button, false);
  });
}

/** Rejects files that are larger than their field says, when they are chosen. */
export function enableFileBounds(): void {
  const check = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
    const { maxBytes, tooLarge = '' } = target.dataset;
    const isTooLarge =
      (target.files?.[0]?.size ?? 0) > Number(maxBytes ?? Number.POSITIVE_INFINITY);
    // Browsers do not send the form then.
    target.setCustomValidity(isTooLarge ? tooLarge : '');
    showProblem(target, isTooLarge ? tooLarge : '');
  };
  // Before others read the file.
  document.addEventListener('input', check, true);
}

/** Shows what is wrong with a field; nothing for an empty text. */
export function showProblem(field: HTMLElement, text: string): void {
  field.ariaInvalid = text === '' ? null : 'true';
  const problem = document.getElementById(`${field.id}-problem`);
  if (!problem) return;
  problem.hidden = text === '';
  one('span', HTMLElement, problem)?.replaceChildren(text);
}

/** Shows what another page says about a choice, when one is made that names the page. */
export function enableLiveChoices(): void {
  let pending: AbortController | undefined;
  document.addEventListener('change', async ({ target }) => {
    const address = target instanceof HTMLSelectElement ? target.dataset['livePage'] : undefined;
    const part = target instanceof Element ? target.closest('[data-part]') : null;
    if (!address || !(target instanceof HTMLSelectElement) || !(part instanceof HTMLElement))
      return;
    // It is checked as a whole.
    if (target.form && 'liveForm' in target.form.dataset) return;
    pending?.abort();
    pending = new AbortController();
    const url = `${address}?${new URLSearchParams({ [target.name]: target.value })}`;
    const response = await fetch(url, { signal: pending.signal }).catch(() => null);
    if (!response?.ok) return;
    const page = await pageOf(response);
    showLiveParts(part, page);
    showProblems(part, page);
  });
}

/** Replaces the parts of a page that follow a form. */
function showLiveParts(within: ParentNode, page: Document): void {
  for (const shown of all('[data-live]', HTMLElement, within)) {
    const next = page.getElementById(shown.id);
    if (!next || next.isEqualNode(shown)) continue;
    const focused = shown.contains(document.activeElement) ? document.activeElement?.id : '';
    shown.replaceWith(next);
    if (focused) document.getElementById(focused)?.focus();
  }
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
    const page = await pageOf(response);
    showLiveParts(document, page);
    showProblems(form, page);
  });
}

/**
 * Shows the problems of a form, or of a part of it, as another page has them.
 * Returns the names of the fields.
 */
export function showProblems(form: HTMLElement, page: Document): string[] {
  const names: string[] = [];
  for (const shown of all('.error[id$="-problem"]', HTMLElement, form)) {
    const next = page.getElementById(shown.id);
    if (!next) continue;
    shown.hidden = next.hidden;
    shown.className = next.className;
    // Writing the same text again would make screen readers repeat it.
    if (shown.textContent !== next.textContent) shown.replaceChildren(...next.childNodes);
    const name = shown.id.replace('-problem', '');
    const field = one(`[id="${name}"]`, HTMLElement, form);
    const isInvalid = !next.hidden && !next.classList.contains('warning');
    if (field) field.ariaInvalid = isInvalid ? 'true' : null;
    if (!next.hidden) names.push(name);
  }
  return names;
}

/** Replaces the content of parts of the page by that of another one. */
export function showParts(ids: readonly string[], page: Document): void {
  for (const id of ids) {
    const part = page.getElementById(id);
    if (part) document.getElementById(id)?.replaceChildren(...part.childNodes);
  }
}

/** Returns whether something is a field with one value, of any element that has one. */
export function isValueField(
  field: unknown,
): field is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return (
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof HTMLTextAreaElement
  );
}

/** Gives a field a value. Colour pickers and outputs follow. */
export function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof RadioNodeList) field.value = value;
  if (!isValueField(field)) return;
  if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value !== '';
  else field.value = value;
  // It does not bubble: the form asks for one preview of all its fields.
  field.dispatchEvent(new Event('input'));
}

/** Fills the zone of the browser into a form that signs in, before it is sent. */
export function enableZoneGuess(): void {
  const fill = ({ target }: Event) => {
    if (!(target instanceof HTMLFormElement)) return;
    for (const field of all('input[type=hidden][name=zone]', HTMLInputElement, target))
      field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  };
  document.addEventListener('submit', fill, { capture: true });
}

const proofPauseMs = 250;

/** Says in a form that names a path in `data-proof` what it will do, while it is filled in. */
export function enableProofs(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending: AbortController | undefined;
  const prove = async (form: HTMLFormElement) => {
    pending?.abort();
    pending = new AbortController();
    const url = new URL(form.dataset['proof'] ?? '', location.href);
    const shown = all('input:not([type=hidden]), select', HTMLElement, form);
    const names = new Set(shown.map((field) => field.getAttribute('name')));
    for (const [name, value] of new FormData(form))
      if (names.has(name) && typeof value === 'string') url.searchParams.set(name, value);
    const response = await fetch(url, { signal: pending.signal }).catch(() => null);
    const proof = one('.proof', HTMLElement, form);
    // Without an answer, it is said when the form is sent.
    if (!response?.ok || !proof) return;
    const next = await pageOf(response);
    // Writing the same text again would make screen readers repeat it.
    if (proof.textContent !== next.body.textContent) proof.replaceChildren(...next.body.childNodes);
  };
  for (const type of ['input', 'change'])
    document.addEventListener(type, ({ target }) => {
      const form = target instanceof Element && target.closest('form[data-proof]');
      if (!(form instanceof HTMLFormElement)) return;
      clearTimeout(timer);
      timer = setTimeout(() => void prove(form), proofPauseMs);
    });
}
