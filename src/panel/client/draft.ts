import { all } from './dom.ts';
import { account, keepSent, nameOfSent, noteSending, opening, takeSent } from './sent.ts';

/** What people have filled in, by name, and a logo that waits to be saved. */
export type Draft = Readonly<Record<string, string>>;

/** The field of a logo that waits to be saved. */
export const draftLogo = 'draft_logo';

/** Where a form that is not saved is kept. Nothing is where the browser has no room. */
export interface Keeper {
  /** With the page in the tab's history, for going back to it and reloading it. */
  note(): void;
  forget(): void;
  /** What the history knows of the form, or null. */
  noted(): Draft | null;
  /** Once in the tab, for the page that comes after a sign-in. */
  send(): void;
  /** What was sent and may not have arrived, or null. It is given once. */
  takeSent(): Draft | null;
}

/** The keeper of one form; what was sent is kept under the address that the form is sent to. */
export function keeperOf(form: HTMLFormElement): Keeper {
  const name = nameOfSent(new URL(form.action).pathname);
  return {
    note: () => tried(() => history.replaceState({ account, draft: draftOf(form) }, '')),
    forget: () => tried(() => history.replaceState(null, '')),
    noted: () => {
      // A link to the page on which it stands opens it anew, and yet keeps what the history knows of it.
      if (opening() === 'navigate') return null;
      const state: { account?: string; draft?: Draft } | null = history.state;
      return state?.account === account ? (state?.draft ?? null) : null;
    },
    send: () =>
      tried(() => {
        noteSending(name);
        const draft = draftOf(form);
        if (Object.keys(draft).length > 0) keepSent(name, JSON.stringify(draft));
      }),
    takeSent: () => tried((): Draft | null => JSON.parse(takeSent(name) ?? 'null')) ?? null,
  };
}

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    console.info('What is not saved cannot be kept:', error);
    return undefined;
  }
}

function draftOf(form: HTMLFormElement): Draft {
  const fields = [...form.elements].filter((field) => field instanceof HTMLInputElement);
  const kept = new Set(fields.filter(isKept).map(({ name }) => name));
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => kept.has(entry[0]) && typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

// No password is left lying about in a browser, and no token outlives its session.
const neverKept = ['password', 'hidden', 'file'];

function isKept({ name, type, readOnly }: HTMLInputElement): boolean {
  return name === draftLogo || !(readOnly || neverKept.includes(type));
}

/**
 * Fills a form in as it stood, and lets everything that follows its fields know.
 *
 * @returns whether that differs from how the server sent it
 */
export function fillIn(form: HTMLFormElement, draft: Draft): boolean {
  const fields = all('input[name]', HTMLInputElement, form).filter(isKept);
  for (const field of fields) {
    const value = draft[field.name];
    if (field.type === 'radio' || field.type === 'checkbox') field.checked = value === field.value;
    else if (value === undefined) continue;
    else field.value = value;
    field.dispatchEvent(new Event('change'));
  }
  return fields.some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  );
}
