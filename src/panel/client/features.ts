const plainClass = 'plain';

/**
 * Returns whether the browser has what the script needs beyond the oldest supported ones (docs/install.md).
 * Without it, nothing may be enabled: the page works by links and forms, as without a script.
 */
export function canEnhance(): boolean {
  const isComplete =
    'popover' in HTMLElement.prototype &&
    'checkVisibility' in Element.prototype &&
    'ariaBusy' in Element.prototype &&
    // The second parameter of FormData came before popovers.
    isSelector(':popover-open') &&
    isSelector(':has(a)');
  document.documentElement.classList.toggle(plainClass, !isComplete);
  return isComplete;
}

function isSelector(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector);
    return true;
  } catch {
    return false;
  }
}
