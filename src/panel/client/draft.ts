import { all } from './dom.ts';
import { account, nameOfSent, takeSent } from './sent.ts';

/** What stands in a form, by name, but for its token and a file. */
export type Draft = Readonly<Record<string, string>>;

/** Where a form that is not saved is kept. Nothing is where the browser has no room. */
export interface Keeper {
  /** With the page in the tab's history, for going back to it and reloading it. */
  note(): void;
  forget(): void;
  /** Once in the tab, for the page that comes after a sign-in. */
  send(): void;
  /**
   * What was kept, or null.
   *
   * @param asSent whether the page itself shows what was sent
   */
  take(asSent: boolean): Draft | null;
}

/** The keeper of one form; what was sent is kept under the address that the form is sent to. */
export function keeperOf(form: HTMLFormElement): Keeper {
  const name = nameOfSent(new URL(form.action).pathname);
  const tried = (act: () => void) => {
    try {
      act();
    } catch (error) {
      console.info('What is not saved cannot be kept:', error);
    }
  };
  return {
    note: () => tried(() => history.replaceState({ account, draft: draftOf(form) }, '')),
    forget: () => tried(() => history.replaceState(null, '')),
    send: () => tried(() => sessionStorage.setItem(name, JSON.stringify(draftOf(form)))),
    take: (asSent) => {
      const sent = takeSent(name);
      if (sent !== null && !asSent) return JSON.parse(sent);
      // A link to the page on which it stands opens it anew, and yet keeps what the history knows of it.
      const [opened] = performance.getEntriesByType('navigation');
      if (opened instanceof PerformanceNavigationTiming && opened.type === 'navigate') return null;
      const state: { account?: string; draft?: Draft } | null = history.state;
      return state?.account === account ? (state?.draft ?? null) : null;
    },
  };
}

function draftOf(form: HTMLFormElement): Draft {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => entry[0] !== 'csrf' && typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/**
 * Fills a form in as it stood, and lets everything that follows its fields know.
 *
 * @param place where the server draws the form, and puts a logo that waits to be saved
 */
export function fillIn(form: HTMLFormElement, draft: Draft, place: Element): void {
  for (const field of all('input[name]', HTMLInputElement, form)) {
    const value = draft[field.name];
    if (field.type === 'radio' || field.type === 'checkbox') field.checked = value === field.value;
    else if (value === undefined || field.type === 'file') continue;
    else field.value = value;
    field.dispatchEvent(new Event('change'));
  }
  const name = 'draft_logo';
  const logo = draft[name];
  if (logo === undefined || form.elements.namedItem(name)) return;
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name, value: logo });
  field.setAttribute('form', form.id);
  // Where the server puts it, which replaces it with the next picture.
  place.append(field);
}
