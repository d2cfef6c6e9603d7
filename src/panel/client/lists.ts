import { enableDialogLink } from './dialog.ts';
import { all, one } from './dom.ts';

const filterPauseMs = 250;

/** Filters the list while its form is filled in. */
export function enableFilters(form: HTMLFormElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending: AbortController | undefined;
  const filter = async () => {
    pending?.abort();
    pending = new AbortController();
    const { signal } = pending;
    const url = new URL(location.pathname, location.href);
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value !== '') url.searchParams.set(name, value);
    try {
      const response = await fetch(url, { signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      // The folder and the number of codes are outside of the list.
      const [head, list] = ['.head', '#list'].map((part) => one(part, HTMLElement, page));
      if (!response.ok || response.redirected || !head || !list) throw new Error('no list');
      one('.head h1', HTMLElement)?.replaceWith(...all('h1', HTMLElement, head));
      const count = one('.head > .soft', HTMLElement);
      if (count) count.textContent = one('.soft', HTMLElement, head)?.textContent ?? '';
      one('#list', HTMLElement)?.replaceWith(list);
      history.replaceState(null, '', url);
      for (const link of all('a[data-dialog]', HTMLAnchorElement, list)) enableDialogLink(link);
      enableSelection();
    } catch {
      if (!signal.aborted) location.assign(url);
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void filter();
  });
  form.addEventListener('input', ({ target }) => {
    clearTimeout(timer);
    // Another folder has another head.
    if (target instanceof HTMLSelectElement && target.name === 'folder') form.submit();
    else timer = setTimeout(filter, target instanceof HTMLSelectElement ? 0 : filterPauseMs);
  });
}

/** Counts the ticked codes in the bar, and keeps them from page to page of the list in this tab. */
export function enableSelection(): void {
  const bar = one('#selection', HTMLFormElement);
  if (!bar) return;
  const key = `selection ${one('input[name=csrf]', HTMLInputElement, bar)?.value}`;
  const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]');
  const selected = new Set<unknown>(Array.isArray(stored) ? stored : []);
  const boxes = all('input[name=code]', HTMLInputElement).filter(({ form }) => form === bar);
  const checkAll = one('[data-check-all]', HTMLInputElement);
  const count = one('[role=status]', HTMLElement, bar);
  let last: HTMLInputElement | undefined;

  const update = () => {
    sessionStorage.setItem(key, JSON.stringify([...selected]));
    for (const box of boxes) box.checked = selected.has(box.value);
    const ticked = boxes.filter((box) => box.checked).length;
    if (checkAll) {
      checkAll.checked = ticked === boxes.length;
      checkAll.indeterminate = ticked > 0 && ticked < boxes.length;
    }
    if (count) count.textContent = `${selected.size} selected`;
    one('.selectbar', HTMLElement, bar)?.classList.toggle('is-open', selected.size > 0);
  };
  const set = (box: HTMLInputElement, isTicked: boolean) =>
    isTicked ? selected.add(box.value) : selected.delete(box.value);
  const clear = () => {
    selected.clear();
    update();
  };

  for (const box of boxes)
    box.addEventListener('click', ({ shiftKey }) => {
      const ends = [last ?? box, box].map((one) => boxes.indexOf(one)).toSorted((a, b) => a - b);
      const range = shiftKey ? boxes.slice(ends[0], (ends[1] ?? 0) + 1) : [box];
      for (const one of range) set(one, box.checked);
      last = box;
      update();
    });
  checkAll?.addEventListener('change', () => {
    for (const box of boxes) set(box, checkAll.checked);
    update();
  });
  bar.addEventListener('reset', (event) => {
    event.preventDefault();
    clear();
  });
  bar.addEventListener('submit', ({ submitter }) => {
    for (const added of all('input[type=hidden][name=code]', HTMLInputElement, bar)) added.remove();
    for (const code of selected)
      if (!boxes.some((box) => box.value === code)) {
        const field = document.createElement('input');
        field.type = 'hidden';
        field.name = 'code';
        field.value = String(code);
        bar.append(field);
      }
    // What is paused or archived is done with.
    if (submitter instanceof HTMLButtonElement && submitter.name === 'do')
      sessionStorage.removeItem(key);
  });
  document.onkeydown = ({ key: pressed, target }) => {
    const isElsewhere =
      target instanceof Element && target.matches('dialog *, .menu *, [type=search]');
    if (pressed === 'Escape' && !isElsewhere) clear();
  };
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
