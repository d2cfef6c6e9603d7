import { all, announce, one, pageOf } from './dom.ts';

const pauseMs = 2_000;
const patienceMs = 10 * 60_000;

/** Asks for the first scan of a code while the page is visible, and shows the step that follows. */
export function waitForFirstScan(steps: HTMLElement, signal: AbortSignal): void {
  const url = new URL(location.href);
  url.search = `?${new URLSearchParams({ first: steps.dataset['first'] ?? '' })}`;
  const endMs = performance.now() + patienceMs;
  const ask = async () => {
    if (performance.now() > endMs || signal.aborted) return;
    if (document.visibilityState === 'visible') {
      const response = await fetch(url).catch(() => null);
      const page = response?.ok && !response.redirected ? await pageOf(response) : undefined;
      const done = page && one('.steps:has(> .last)', HTMLElement, page);
      if (done) {
        steps.replaceWith(document.adoptNode(done));
        announce(all('[role=status]', HTMLElement, done)[0]?.textContent ?? '');
        return;
      }
    }
    setTimeout(ask, pauseMs);
  };
  setTimeout(ask, pauseMs);
}
