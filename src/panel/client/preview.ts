import { all, announce, one } from './dom.ts';

const debounceMs = 180;

/** Keeps the preview of the design form up to date, and warns before the page is left with unsaved changes. */
export function enablePreview(form: HTMLFormElement, preview: HTMLElement): void {
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
  const refresh = async () => {
    cancel();
    pending = new AbortController();
    const { signal } = pending;
    preview.setAttribute('aria-busy', 'true');
    try {
      await updatePreview(form, preview, signal);
    } catch {
      if (!signal.aborted) markStale(preview, 'The server did not respond.');
    } finally {
      if (!signal.aborted) preview.removeAttribute('aria-busy');
    }
  };

  form.addEventListener('input', () => {
    isUnsaved = true;
    clearTimeout(timer);
    timer = setTimeout(refresh, debounceMs);
  });
  file?.addEventListener('change', () => {
    if (noLogo && file.files?.length) noLogo.checked = false;
  });
  form.addEventListener('submit', () => {
    cancel();
    isUnsaved = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (isUnsaved) event.preventDefault();
  });
}

/** Fetches the preview of the form's design and shows it. Rejects when the request fails. */
async function updatePreview(
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
  const received = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (signal.aborted) return;
  if (!response.ok) {
    markStale(preview, received.querySelector('main p')?.textContent ?? '');
    return;
  }
  const invalid = showProblems(form, received);
  // While a colour is being typed, the last valid preview stays.
  if (invalid.some((name) => name !== 'logo')) {
    markStale(preview, 'A colour is not valid.');
    return;
  }
  preview.replaceChildren(...received.body.children);
  // The response contains the logo as a form field.
  if (file && uploaded && file.files?.[0] === uploaded) file.value = '';
  if (invalid.length === 0) announce(preview.querySelector('.verdict-text')?.textContent ?? '');
}

/** Shows the problems of a preview beside their fields. Returns the names of invalid fields. */
function showProblems(form: HTMLFormElement, received: ParentNode): string[] {
  const attribute = received.querySelector('[data-problems]')?.getAttribute('data-problems');
  const problems: Record<string, string> = JSON.parse(attribute ?? '{}');
  for (const shown of all('.error', HTMLElement, form)) {
    const name = shown.id.replace('-problem', '');
    const problem = problems[name];
    shown.hidden = problem === undefined;
    // Writing the same text again would make screen readers repeat it.
    const text = shown.querySelector('span');
    if (text && text.textContent !== (problem ?? '')) text.textContent = problem ?? '';
    const field = document.getElementById(name);
    if (field) field.ariaInvalid = problem === undefined ? null : 'true';
  }
  return Object.keys(problems);
}

/** Marks the preview as out of date, in place of its verdict. */
function markStale(preview: Element, reason: string): void {
  const [title, detail] = [document.createElement('b'), document.createElement('span')];
  title.textContent = 'Not up to date';
  detail.textContent = reason;
  preview.querySelector('.verdict')?.classList.add('stale');
  preview.querySelector('.verdict-text')?.replaceChildren(title, detail);
  announce(`Not up to date. ${reason}`);
}
