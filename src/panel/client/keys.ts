import { openPage } from './dialog.ts';
import { all, one } from './dom.ts';
import { pageOfRow } from './lists.ts';

/** Pages for keys that nothing on the current page has. */
const pages: Readonly<Record<string, string>> = { '/': '/account/codes#q' };

/**
 * Handles keyboard shortcuts outside of fields.
 * A key clicks the element that names it in `data-shortcut`, or focuses the field. In a row of the list, X ticks the
 * code, and E opens the page that edits it.
 */
export function enableShortcuts(): void {
  let isGoing = false;
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    // Pages where shortcuts are off do not have it.
    const basePath = document.body.dataset['keys'];
    if (basePath === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!(target instanceof Element) || target.matches(fields)) return;
    const keys = isGoing ? `g${key}` : key;
    isGoing = keys === 'g';
    const row = target.closest('tr');
    const named = all(`[data-shortcut="${CSS.escape(keys)}"]`, HTMLElement);
    const box = row && keys === 'x' ? one('[name=code]', HTMLInputElement, row) : undefined;
    // Menus are closed: what is visible comes first.
    const found =
      box ??
      named.find((one) => one.checkVisibility()) ??
      named.find((one) => one.closest('[popover]'));
    const edited = row && keys === 'e' && pageOfRow(row, 'edit');
    if (found?.matches(fields)) found.focus();
    else if (found) found.click();
    else if (edited) void openPage(target, edited);
    else if (keys === 'n') void openPage(target, `${basePath}/account/new`);
    else if (pages[keys]) location.assign(`${basePath}${pages[keys]}`);
    else return;
    event.preventDefault();
  });
}

/** Where letters are typed. */
const fields = 'input:not([type=checkbox], [type=radio]), select, textarea, dialog *';

/** Focuses the field that the address names: browsers only scroll to it. */
export function focusNamedField(): void {
  const named = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLInputElement) named.focus();
}
