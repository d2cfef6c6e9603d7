/** The script of all pages. Every page works without it. */
import { enableChart } from './chart.ts';
import { enableCopyButtons } from './copy.ts';
import { enableDialogs, enableFillButtons, selectReplaced } from './dialog.ts';
import { all, one } from './dom.ts';
import { canEnhance } from './features.ts';
import {
  enableFileBounds,
  enableLiveChoices,
  enableLiveForm,
  enableMirrors,
  enableProofs,
  enableShowButtons,
  enableZoneGuess,
  showSliderValue,
  syncColorField,
} from './fields/fields.ts';
import { enableFind } from './find.ts';
import { waitForFirstScan } from './first-run.ts';
import { enableForms } from './forms.ts';
import { enableShortcuts, focusNamedField } from './keys.ts';
import { enableFilters, enableRowMenus, enableSelection } from './lists.ts';
import { enableHistory, onPage } from './page.ts';
import { enableToast } from './toast.ts';

if (canEnhance()) enhance();

/** Enables everything that the script adds to the pages. */
function enhance(): void {
  onPage((signal) => {
    for (const field of all('[data-color]', HTMLElement)) syncColorField(field);
    for (const output of all('output[data-texts]', HTMLOutputElement)) showSliderValue(output);
    for (const chart of all('.chart [role=img]', SVGSVGElement)) enableChart(chart);
    for (const steps of all('.steps[data-first]', HTMLElement)) waitForFirstScan(steps, signal);
    for (const toast of all('.toast', HTMLElement)) enableToast(toast);

    for (const form of all('[data-filters]', HTMLFormElement)) enableFilters(form);
    // After a change of the selected codes, they are done with.
    if (one('.toast form[action$="/selection/undo"]', HTMLFormElement)) sessionStorage.clear();
    enableSelection();

    for (const form of all('form[data-live-form]', HTMLFormElement)) enableLiveForm(form);
    focusNamedField();
    if (document.activeElement) selectReplaced(document.activeElement);
    for (const shown of all('[data-key]', HTMLElement)) lendKey(shown.dataset['key'] ?? '', signal);
  });

  enableCopyButtons();
  enableShowButtons();
  enableFileBounds();
  enableMirrors();
  enableRowMenus();
  enableShortcuts();
  enableFind();
  enableDialogs();
  enableFillButtons();
  enableLiveChoices();
  enableProofs();
  enableZoneGuess();
  enableForms();
  enableHistory();
}

/** Gives a new API key to Swagger UI in other tabs while this page is open. It is not stored. */
function lendKey(key: string, signal: AbortSignal): void {
  const channel = new BroadcastChannel('waymark-key');
  channel.addEventListener('message', ({ data }) => {
    if (data === 'wanted') channel.postMessage({ key });
  });
  signal.addEventListener('abort', () => channel.close());
}
