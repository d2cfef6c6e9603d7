/**
 * The panel's only script. Every page works without it; it adds copying, dropping files, colour
 * wells, the preview that follows the form, and forms that come back as they were sent.
 */
import { offerCopy } from './copy.ts';
import { all } from './dom.ts';
import { joinColor, showValue, takeDrops } from './fields.ts';
import { keepFields } from './keep.ts';
import { follow } from './preview.ts';
import { account, forgetSent } from './sent.ts';

for (const button of all('[data-copy]', HTMLButtonElement)) offerCopy(button);
for (const field of all('[data-color]', HTMLElement)) joinColor(field);
for (const output of all('output[data-unit]', HTMLOutputElement)) showValue(output);
for (const zone of all('[data-drop]', HTMLElement)) takeDrops(zone);

forgetSent();
// Whoever is not signed in sends passwords and nothing else.
if (account !== undefined)
  for (const form of all('form[method=post]:not([data-preview])', HTMLFormElement))
    keepFields(form);
for (const form of all('form[data-preview]', HTMLFormElement)) {
  const place = document.getElementById(form.dataset['preview'] ?? '');
  if (place) follow(form, place);
  for (const button of all('[data-only-without-script]', HTMLElement, form)) button.hidden = true;
}
