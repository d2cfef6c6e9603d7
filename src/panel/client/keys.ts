import { one } from './dom.ts';

/** Paths after G. */
const places: Readonly<Record<string, string>> = {
  o: '/account',
  c: '/account/codes',
  d: '/account/design',
};

/** Handles keyboard shortcuts outside of fields. */
export function enableShortcuts(basePath: string): void {
  let isGoing = false;
  const go = (path: string) => location.assign(`${basePath}${path}`);
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isTyping =
      target instanceof Element && target.matches('input, select, textarea, dialog *');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
      return;
    const place = isGoing ? places[key] : undefined;
    isGoing = key === 'g';
    if (place !== undefined) go(place);
    else if (key === 'n') go('/account/new');
    else if (key === '?') go('/account/settings#keys');
    else if (key === '/') {
      const search = one('input[type=search]', HTMLInputElement);
      if (!search) return go('/account/codes#q');
      search.focus();
      event.preventDefault();
    }
  });
}

/** Focuses the field that the address names: browsers only scroll to it. */
export function focusNamedField(): void {
  const named = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  if (named instanceof HTMLInputElement) named.focus();
}
