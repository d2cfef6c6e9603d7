import { announce, one } from './dom.ts';
import { markStale, showProblem, showProblems } from './problems.ts';

const debounceMs = 180;
const payloadTooLarge = 413;

/** Has the server draw the design form again after each change, and shows its preview. */
export function followForm(form: HTMLFormElement, preview: HTMLElement): void {
  const file = one('input[type=file]', HTMLInputElement, form);
  const noLogo = one('input[name=no_logo]', HTMLInputElement, form);
  let isUnsaved = one('.unsaved', HTMLElement, form)?.hidden === false;
  let pending: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const cancel = () => {
    clearTimeout(timer);
    pending?.abort();
    preview.removeAttribute('aria-busy');
  };
  const draw = async () => {
    cancel();
    pending = new AbortController();
    const { signal } = pending;
    preview.setAttribute('aria-busy', 'true');
    try {
      await update(form, preview, signal);
    } catch {
      if (!signal.aborted) markStale(preview, 'The server did not respond.');
    } finally {
      if (!signal.aborted) preview.removeAttribute('aria-busy');
    }
  };

  form.addEventListener('input', () => {
    isUnsaved = true;
    clearTimeout(timer);
    timer = setTimeout(draw, debounceMs);
  });
  file?.addEventListener('change', () => {
    if (noLogo && file.files?.length) noLogo.checked = false;
  });
  form.addEventListener('submit', (event) => {
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.value === 'preview') {
      event.preventDefault();
      draw();
      return;
    }
    cancel();
    isUnsaved = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (isUnsaved) event.preventDefault();
  });
}

/** Fetches the preview of the form and shows it. Throws when the server does not respond. */
async function update(
  form: HTMLFormElement,
  preview: HTMLElement,
  signal: AbortSignal,
): Promise<void> {
  const file = one('input[type=file]', HTMLInputElement, form);
  const uploaded = file?.files?.[0];
  const fields = new FormData(form);
  fields.set('do', 'fragment');
  const response = await fetch(form.action, { method: 'POST', body: fields, signal });
  if (response.redirected) {
    markStale(preview, 'Your session has ended. Reload the page to sign in.');
    return;
  }
  const fragment = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (signal.aborted) return;
  if (response.status === payloadTooLarge && file) {
    showProblem('logo', fragment.querySelector('main p')?.textContent ?? '');
    file.value = '';
    markStale(preview, 'The logo is too large.');
    return;
  }
  if (!response.ok) throw new Error(`status ${response.status}`);
  const invalid = showProblems(form, fragment);
  // While a color is being typed, the last valid picture stays.
  if (invalid.some((name) => name !== 'logo')) {
    markStale(preview, 'A colour is not valid.');
    return;
  }
  const hadFocus = preview.contains(document.activeElement);
  preview.replaceChildren(...fragment.body.children);
  if (hadFocus) preview.focus({ preventScroll: true });
  // The response contains the logo as a form field.
  if (file && uploaded && file.files?.[0] === uploaded) file.value = '';
  if (invalid.length === 0) announce(preview.querySelector('.told')?.textContent ?? '');
}
