/**
 * The panel's only script. Every page works without it. It adds copy buttons, file drops, color pickers, a live
 * preview of the design form, and a hint beside forms with unsaved changes.
 */
import { enableCopyButton } from './copy.ts';
import { all, one } from './dom.ts';
import { acceptDrops, showSliderValue, syncColorField } from './fields.ts';
import { enablePreview } from './preview.ts';

for (const button of all('[data-copy]', HTMLButtonElement)) enableCopyButton(button);
for (const field of all('[data-color]', HTMLElement)) syncColorField(field);
for (const output of all('output[data-unit]', HTMLOutputElement)) showSliderValue(output);
for (const zone of all('[data-drop]', HTMLElement)) acceptDrops(zone);
for (const button of all('[data-only-without-script]', HTMLElement)) button.hidden = true;

for (const form of all('form', HTMLFormElement)) {
  const hint = one('.unsaved', HTMLElement, form);
  if (hint)
    form.addEventListener('input', () => {
      hint.hidden = false;
    });
  const preview = document.getElementById(form.dataset['preview'] ?? '');
  if (preview) enablePreview(form, preview);
}
