/**
 * The panel's only script. Every page works without it. It adds copy buttons, colour pickers, a live
 * preview of the design form, the focus of fields to rename codes, a
 * check box for all codes of a page, and a hint beside forms with unsaved
 * changes.
 */
import { enableCopyButton } from './copy.ts';
import { all, one } from './dom.ts';
import { showSliderValue, syncColorField } from './fields.ts';
import { enableCheckAll, focusOnOpen } from './lists.ts';
import { enablePreview } from './preview.ts';

for (const button of all('[data-copy]', HTMLButtonElement)) enableCopyButton(button);
for (const field of all('[data-color]', HTMLElement)) syncColorField(field);
for (const output of all('output[data-unit]', HTMLOutputElement)) showSliderValue(output);

for (const label of all('[data-check-all]', HTMLElement)) enableCheckAll(label);
for (const details of all('.rename', HTMLDetailsElement)) focusOnOpen(details);

for (const hint of all('.unsaved', HTMLElement))
  hint.closest('form')?.addEventListener('input', () => {
    hint.hidden = false;
  });

const [form, preview] = [one('#design', HTMLFormElement), one('#preview', HTMLElement)];
if (form && preview) enablePreview(form, preview);
