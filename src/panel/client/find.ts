import { all, announce, one, pageOf } from './dom.ts';

const findPauseMs = 200;

/**
 * Opens the page that finds codes, folders and pages with Ctrl+K or ⌘K, and finds while one types.
 * Enter opens the first result, and arrows go through them.
 */
export function enableFind(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending: AbortController | undefined;

  const find = async (form: HTMLFormElement): Promise<void> => {
    clearTimeout(timer);
    pending?.abort();
    pending = new AbortController();
    const { signal } = pending;
    const url = new URL(form.action);
    const { value } = one('input', HTMLInputElement, form) ?? { value: '' };
    url.searchParams.set('q', value);
    try {
      const response = await fetch(url, { signal });
      const next = response.ok ? one('#found', HTMLElement, await pageOf(response)) : undefined;
      const shown = foundOf(form);
      if (!next || !shown) throw new Error('no results');
      shown.replaceWith(next);
      announce(next.dataset['found'] ?? '');
    } catch {
      if (!signal.aborted) location.assign(url);
    }
  };

  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isFind && key.toLowerCase() === 'k') {
      const ways = all('[data-find-page]', HTMLAnchorElement);
      const way = ways.find((one) => one.checkVisibility()) ?? ways[0];
      if (!way || one('dialog[open]', HTMLElement)) return;
      event.preventDefault();
      way.click();
    } else if (
      key === 'Escape' &&
      target instanceof Element &&
      target.matches('[data-find] input')
    ) {
      // Chromium would empty the field.
      const dialog = target.closest('dialog');
      if (dialog) event.preventDefault();
      dialog?.close();
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && target instanceof HTMLElement) {
      const form = formAround(target);
      const field = form && one('input', HTMLInputElement, form);
      if (!form || !field || (target !== field && !target.closest('#found'))) return;
      const stops: HTMLElement[] = [field, ...all('a', HTMLElement, foundOf(form) ?? form)];
      const at = stops.indexOf(target) + (key === 'ArrowDown' ? 1 : -1);
      stops[Math.min(Math.max(at, 0), stops.length - 1)]?.focus();
      event.preventDefault();
    }
  });

  const findLater = (event: Event) => {
    const form = event.target instanceof Element && event.target.closest('form[data-find]');
    if (!(form instanceof HTMLFormElement)) return;
    // Nothing is lost when its dialog closes.
    event.stopPropagation();
    clearTimeout(timer);
    timer = setTimeout(() => void find(form), findPauseMs);
  };
  document.addEventListener('input', findLater, true);

  document.addEventListener('submit', async (event) => {
    const { target: form } = event;
    if (!(form instanceof HTMLFormElement) || !form.matches('[data-find]')) return;
    event.preventDefault();
    await find(form);
    const found = foundOf(form);
    if (found) one('a', HTMLElement, found)?.click();
  });
}

/** Returns the form of the page or dialog that an element is in. */
function formAround(element: Element): HTMLFormElement | undefined {
  const around = element.closest('.dialog');
  return around ? one('form[data-find]', HTMLFormElement, around) : undefined;
}

function foundOf(form: HTMLFormElement): HTMLElement | undefined {
  const around = form.closest('.dialog');
  return around ? one('#found', HTMLElement, around) : undefined;
}
