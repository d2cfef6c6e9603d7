import { all, announce, one, pageOf } from '../dom.ts';
import { setField, showParts, showProblems } from '../fields/fields.ts';
import { authenticate } from '../forms.ts';

const debounceMs = 150;

/** Keeps the page of the sheet that the form describes up to date, and makes its labels buttons. */
export function enableSheet(
  form: HTMLFormElement,
  preview: HTMLElement,
  pageSignal: AbortSignal,
): void {
  let pending: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = async (extra?: HTMLButtonElement) => {
    clearTimeout(timer);
    pending?.abort();
    pending = new AbortController();
    const { signal } = pending;
    const fields = new FormData(form);
    if (extra?.name) fields.set(extra.name, extra.value);
    preview.ariaBusy = 'true';
    try {
      const response = await fetch(form.action, { method: 'POST', body: fields, signal });
      const page = await pageOf(response);
      if (signal.aborted) return;
      if (response.status === 401) {
        if (await authenticate(page, form)) await refresh(extra);
        return;
      }
      if (!page.getElementById('print')) throw new Error('the page has no form');
      show(form, page);
      preview.ariaBusy = null;
    } catch {
      if (signal.aborted) return;
      const stale = one('.stale', HTMLElement, preview);
      if (stale) stale.hidden = false;
    }
  };
  const change = () => {
    preview.ariaBusy = 'true';
    clearTimeout(timer);
    timer = setTimeout(refresh, debounceMs);
  };

  form.addEventListener('input', change);
  form.addEventListener('submit', (event) => {
    const button = event.submitter instanceof HTMLButtonElement ? event.submitter : undefined;
    if (button?.name === 'do') return;
    event.preventDefault();
    if (button?.name === 'set')
      for (const [name, value] of new URLSearchParams(button.value)) setField(form, name, value);
    void refresh(button);
  });
  form.addEventListener('click', ({ target }) => {
    const start = target instanceof SVGElement ? target.dataset['start'] : undefined;
    if (!start) return;
    setField(form, 'start', start);
    void refresh();
  });
  const retry = () => {
    if (preview.ariaBusy) void refresh();
  };
  window.addEventListener('online', retry, { signal: pageSignal });
}

/** Shows the sheet and the problems of another page. The fields keep what is being typed. */
function show(form: HTMLFormElement, page: Document): void {
  const focused = document.activeElement;
  const wasInPart = focused?.closest('#preview, #starts') ?? false;
  showParts(['preview', 'starts'], page);
  if (wasInPart) {
    const button = one(`#preview button[id="${focused?.id}"]:enabled`, HTMLButtonElement);
    (button ?? one('#preview h2', HTMLElement))?.focus();
  }
  showProblems(form, page);
  const said = all('#preview .notice, #sheet-summary', HTMLElement).map(
    (part) => part.ariaLabel ?? part.textContent,
  );
  announce(said.join(' '));
}
