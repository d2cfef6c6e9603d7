import { one } from './dom.ts';
import { nameOfSent, takeSent } from './sent.ts';
import { showUnsaved } from './unsaved.ts';

/** Keeps the destination that was typed until it has arrived; where it has not, it stands there again. */
export function keepDestination(form: HTMLFormElement): void {
  const name = nameOfSent(new URL(form.action).pathname);
  const field = one('input[name=url]', HTMLInputElement, form);
  if (!field) return;
  // What was refused stands there already, with the reason.
  const sent = field.hasAttribute('aria-invalid') ? null : takeSent(name);
  if (sent !== null) {
    field.value = sent;
    if (sent !== field.defaultValue) showUnsaved(form);
  }
  field.addEventListener('input', () => showUnsaved(form));
  form.addEventListener('submit', () => sessionStorage.setItem(name, field.value));
}
