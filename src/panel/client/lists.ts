import { all, announce, create, one, pageOf } from './dom.ts';
import { client as t } from './texts.ts';
import { showToast } from './toast.ts';

const filterPauseMs = 250;

/** Filters the list while its form is filled in. */
export function enableFilters(form: HTMLFormElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pending: AbortController | undefined;
  const address = () => {
    const url = new URL(location.pathname, location.href);
    for (const [name, value] of new FormData(form))
      if (typeof value === 'string' && value !== '') url.searchParams.set(name, value);
    return url;
  };
  const filter = async () => {
    pending?.abort();
    pending = new AbortController();
    const { signal } = pending;
    const url = address();
    try {
      const response = await fetch(url, { signal });
      const page = await pageOf(response);
      // The folder and the number of codes are outside of the list.
      const [head, list] = ['.head', '#list'].map((part) => one(part, HTMLElement, page));
      // A list that is still being sorted reloads itself, which only browsers do.
      if (!response.ok || response.redirected || response.headers.has('Refresh') || !head || !list)
        throw new Error('no list');
      one('.head h1', HTMLElement)?.replaceWith(...all('h1', HTMLElement, head));
      const count = one('.head > .soft', HTMLElement);
      if (count) count.textContent = one('.soft', HTMLElement, head)?.textContent ?? '';
      const [opener, counted] = [document, page].map((part) =>
        one('[popovertarget=filters]', HTMLElement, part),
      );
      if (opener && counted) opener.textContent = counted.textContent;
      // What is exported is what is listed.
      const exported = one('.head a[download]', HTMLAnchorElement);
      const href = one('a[download]', HTMLAnchorElement, head)?.getAttribute('href');
      if (exported && href) exported.setAttribute('href', href);
      one('#list', HTMLElement)?.replaceWith(list);
      history.replaceState(null, '', url);
      enableSelection();
      announceList(list);
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
    if (target instanceof HTMLSelectElement && target.name === 'folder') location.assign(address());
    else timer = setTimeout(filter, target instanceof HTMLSelectElement ? 0 : filterPauseMs);
  });
}

/** Tells screen readers how many codes a list has, or what else the list says. */
function announceList(list: HTMLElement): void {
  const found = list.dataset['found'];
  if (found !== undefined) {
    announce(found);
    return;
  }
  const rows = all('tbody tr', HTMLElement, list).length;
  const hasMore = one('.pages [data-next]', HTMLElement, list) !== undefined;
  const count = { codes: rows };
  announce(rows === 0 ? t.noCodesFound : hasMore ? t.firstCodes(count) : t.codes(count));
}

/** What is selected in this tab: codes, or all that match the query of a list. */
interface Selection {
  readonly codes: readonly string[];
  readonly allOf: AllOf | null;
}

/** All codes that match the query of a list. */
interface AllOf {
  readonly query: string;
  /** How many they were when they were selected; null for too many to count. */
  readonly total: number | null;
  /** Fields that name them: the search, and the path of the list. */
  readonly q: string;
  readonly list: string;
}

/** Returns the address of a page of the code of a row, which the table names in an attribute. */
export function pageOfRow(row: Element, name: 'menu' | 'edit'): string | null {
  const page = row.closest('table')?.dataset[name];
  const code = one('a.name', HTMLAnchorElement, row);
  return page && code ? `${code.href}/${page}` : null;
}

/** Loads the entries of the menu of a row when its button is clicked. All rows share one menu. */
export function enableRowMenus(): void {
  let current: string | null = null;
  document.addEventListener('click', async ({ target }) => {
    const row = target instanceof Element && target.closest('[popovertarget]')?.closest('tr');
    const menu = one('#code-menu', HTMLElement);
    const address = row ? pageOfRow(row, 'menu') : null;
    if (!menu || !address || address === current) return;
    current = address;
    // Else the click would close the menu of another row.
    menu.hidePopover();
    menu.replaceChildren();
    const response = await fetch(address).catch(() => null);
    if (address !== current) return;
    // The page of the code has them too, and asks to sign in.
    if (!response?.ok || response.redirected) location.assign(address.replace(/\/menu\?.*/, ''));
    else menu.innerHTML = await response.text();
  });
  // The event does not bubble. Keys do nothing in the menu of a row that is left.
  const empty = ({ target, newState }: ToggleEvent) => {
    if (newState !== 'closed' || !(target instanceof Element) || target.id !== 'code-menu') return;
    current = null;
    target.replaceChildren();
  };
  document.addEventListener('toggle', empty, true);
}

/** Counts the ticked codes in the bar, and keeps them from page to page of the list in this tab. */
export function enableSelection(): void {
  const bar = one('#selection', HTMLFormElement);
  document.onkeydown = null;
  if (!bar) return;
  const key = `selection ${bar.dataset['account']}`;
  const fields = [...new URLSearchParams(location.search)].sort();
  const query = String(
    new URLSearchParams(
      fields.filter(([name, value]) => !['page', 'sort', 'period'].includes(name) && value !== ''),
    ),
  );
  const stored: Selection | null = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  const selected = new Set(stored?.codes ?? []);
  // It stays while other filters are looked at.
  let allOf = stored?.allOf ?? null;
  const boxes = all('input[name=code]', HTMLInputElement).filter(({ form }) => form === bar);
  const checkAll = one('[data-check-all]', HTMLInputElement);
  const count = one('[role=status]', HTMLElement, bar);
  const allButton = one('[name=all]', HTMLButtonElement, bar);
  let last: HTMLInputElement | undefined;

  const field = (name: string) => one(`input[name=${name}]`, HTMLInputElement, bar);
  const shown = { q: field('q')?.value ?? '', list: field('list')?.value ?? '' };
  /** Returns whether the boxes of this page are among all: the others are not known one by one. */
  const isAllShown = () =>
    allOf?.query === query || (allOf?.query === '' && !query.includes('archived='));

  const update = () => {
    const now: Selection = { codes: [...selected], allOf };
    sessionStorage.setItem(key, JSON.stringify(now));
    for (const box of boxes) box.checked = isAllShown() || selected.has(box.value);
    const ticked = boxes.filter((box) => box.checked).length;
    if (checkAll) {
      checkAll.checked = ticked === boxes.length;
      checkAll.indeterminate = ticked > 0 && ticked < boxes.length;
    }
    if (allButton) allButton.hidden = allOf !== null;
    if (count)
      count.textContent =
        allOf === null
          ? t.selected({ codes: selected.size })
          : allOf.total === null
            ? t.allThatMatchSelected
            : t.allSelected({ codes: allOf.total });
    one('.selectbar', HTMLElement, bar)?.classList.toggle(
      'is-open',
      allOf !== null || selected.size > 0,
    );
  };
  const set = (box: HTMLInputElement, isTicked: boolean) => {
    // All but this one are more than the bar can name: those of the page remain.
    if (isAllShown()) for (const one of boxes) selected.add(one.value);
    allOf = null;
    if (isTicked) selected.add(box.value);
    else selected.delete(box.value);
  };
  const clear = () => {
    const before = { codes: [...selected], allOf };
    if (allOf === null && before.codes.length === 0) return;
    const said =
      before.allOf === null
        ? t.deselected({ codes: before.codes.length })
        : before.allOf.total === null
          ? t.allThatMatchDeselected
          : t.allDeselected({ codes: before.allOf.total });
    selected.clear();
    allOf = null;
    update();
    showToast(said, () => {
      for (const code of before.codes) selected.add(code);
      allOf = before.allOf;
      update();
    });
  };

  for (const box of boxes)
    box.addEventListener('click', ({ shiftKey }) => {
      const ends = [last ?? box, box].map((one) => boxes.indexOf(one)).sort((a, b) => a - b);
      const range = shiftKey ? boxes.slice(ends[0], (ends[1] ?? 0) + 1) : [box];
      const isTicked = box.checked;
      for (const one of range) set(one, isTicked);
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
  bar.addEventListener('submit', (event) => {
    if (event.submitter === allButton) {
      event.preventDefault();
      const { total } = allButton?.dataset ?? {};
      allOf = { query, total: total === undefined ? null : Number(total), ...shown };
      update();
      return;
    }
    for (const added of all('input[type=hidden][data-added]', HTMLInputElement, bar))
      added.remove();
    const add = (name: string, value: string) => {
      const field = create('input', { type: 'hidden', name, value });
      field.dataset['added'] = '';
      bar.append(field);
    };
    for (const name of ['q', 'list'] as const) {
      const input = field(name);
      if (input) input.value = (allOf ?? shown)[name];
    }
    if (allOf !== null) add('all', 'yes');
    else
      for (const code of selected)
        if (!boxes.some(({ value }) => value === code)) add('code', code);
  });
  document.onkeydown = ({ key: pressed, target }) => {
    const isElsewhere =
      target instanceof Element && target.matches('dialog *, .menu *, [type=search]');
    if (pressed === 'Escape' && !isElsewhere) clear();
  };
  update();
}
