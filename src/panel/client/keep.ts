import { one } from './dom.ts';
import { fillIn, keeperOf } from './draft.ts';
import { showUnsaved } from './unsaved.ts';

/** Keeps what was filled in until it has arrived; where it has not, it stands there again. */
export function keepFields(form: HTMLFormElement): void {
  const keeper = keeperOf(form);
  form.addEventListener('input', () => showUnsaved(form));
  form.addEventListener('submit', keeper.send);
  // What has to be mended on another page first, such as the design, waits here meanwhile.
  if (one('.problem a', HTMLElement, form)) return;
  const sent = keeper.takeSent();
  // What was refused stands there already, with the reason.
  if (sent === null || one('[aria-invalid]', HTMLElement, form)) return;
  if (fillIn(form, sent)) showUnsaved(form);
}
