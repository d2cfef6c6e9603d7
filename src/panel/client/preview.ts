/** The script of pages with a preview, beside that of all pages. */
import { all, announce, create, createButton, one, pageOf } from './dom.ts';
import { canEnhance } from './features.ts';
import { setField, showParts, showProblem, showProblems } from './fields/fields.ts';
import { authenticate } from './forms.ts';
import { onPage } from './page.ts';
import { drawLogo } from './preview/drawn-logo.ts';
import { enableSheet } from './preview/sheet.ts';
import { preview as t } from './texts.ts';

const debounceMs = 150;

if (canEnhance())
  onPage((signal) => {
    const design = one('#design', HTMLFormElement);
    const sheet = one('#print', HTMLFormElement);
    const preview = one('#preview', HTMLElement);
    if (design && preview) enablePreview(design, preview, signal);
    if (sheet && preview) enableSheet(sheet, preview, signal);
  });

/**
 * Keeps the preview of the design form up to date.
 * Warns before the page is left with unsaved changes.
 */
function enablePreview(form: HTMLFormElement, preview: HTMLElement, pageSignal: AbortSignal): void {
  const hint = document.getElementById('unsaved');
  let isUnsaved = hint?.textContent !== '';
  let pending: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The drawing of a chosen logo, until it is in its field.
  let drawing: Promise<void> | null = null;

  const cancel = () => {
    clearTimeout(timer);
    pending?.abort();
  };
  const refresh = async () => {
    cancel();
    pending = new AbortController();
    const { signal } = pending;
    const offer = (problem: Problem) => {
      if (!signal.aborted) showStale(preview, problem, refresh);
    };
    try {
      const problem = await updatePreview(form, signal);
      if (problem) offer(problem);
      else if (!signal.aborted) isUnsaved = hint?.textContent !== '';
    } catch {
      offer({ title: t.couldNotCheck, text: t.noResponse, button: t.tryAgain });
    }
  };
  const change = () => {
    isUnsaved = true;
    if (hint?.textContent === '') hint.textContent = t.unsavedChanges;
    cancel();
    showChecking(preview);
    markPresets(form);
    timer = setTimeout(refresh, debounceMs);
  };

  /** Puts what this browser draws of a file into its field. Without it, the logo before stays. */
  const draw = async (field: HTMLInputElement, file: File) => {
    const drawn = await drawLogo(file);
    if (drawn.kind === 'refused') {
      const hasLogo = one('#no_logo', HTMLInputElement, form)?.value !== 'yes';
      showProblem(field, hasLogo ? `${drawn.problem} ${t.logoStays}` : drawn.problem);
      return;
    }
    const files = new DataTransfer();
    files.items.add(drawn.png);
    field.files = files.files;
    change();
  };
  const takeFile = (field: HTMLInputElement) => {
    const [file] = field.files ?? [];
    const isTooLarge = field.validity.customError;
    field.value = '';
    field.setCustomValidity('');
    // Its field says what is wrong with one that is too large.
    if (file === undefined || isTooLarge) return;
    const current = draw(field, file).finally(() => {
      if (drawing === current) drawing = null;
    });
    drawing = current;
  };

  form.addEventListener('input', ({ target }) => {
    const field = target instanceof HTMLInputElement ? target : undefined;
    if (field?.type === 'file') takeFile(field);
    else if (field?.name !== 'design_name') change();
  });
  window.addEventListener(
    'online',
    () => {
      if (preview.querySelector('.stale')) refresh();
    },
    { signal: pageSignal },
  );
  document.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('[data-values]') : null;
      if (!(button instanceof HTMLButtonElement) || button.form !== form) return;
      event.preventDefault();
      for (const [name, value] of valuesOf(button)) setField(form, name, value);
      change();
    },
    { signal: pageSignal },
  );
  form.addEventListener('submit', (event) => {
    if (drawing !== null) {
      event.preventDefault();
      void drawing.then(() => form.requestSubmit(event.submitter));
      return;
    }
    // Enter checks the design; buttons save it.
    if (event.submitter instanceof HTMLButtonElement && event.submitter.value === 'preview') {
      event.preventDefault();
      change();
      return;
    }
    cancel();
  });
  for (const tile of all('[data-file]', HTMLElement, form))
    for (const [type, isOver] of [
      ['dragenter', true],
      ['dragleave', false],
      ['drop', false],
    ] as const)
      tile.addEventListener(type, () => tile.classList.toggle('over', isOver));
  window.addEventListener(
    'beforeunload',
    (event) => {
      if (isUnsaved) event.preventDefault();
    },
    { signal: pageSignal },
  );
}

interface Problem {
  readonly title: string;
  readonly text: string;
  /** Label of the button that tries again. */
  readonly button?: string;
  /** Done before it is tried again, unless it resolves with false. */
  prepare?(): Promise<boolean>;
}

/**
 * Fetches the preview of the form's design and shows it.
 * Returns why there is none. Rejects without a server.
 */
async function updatePreview(form: HTMLFormElement, signal: AbortSignal): Promise<Problem | null> {
  const file = one('input[type=file]', HTMLInputElement, form);
  const uploaded = file?.files?.[0];
  const fields = new FormData(form);
  fields.set('do', 'preview');
  const response = await fetch(form.action, { method: 'POST', body: fields, signal });
  const received = await pageOf(response);
  if (signal.aborted) return null;
  if (response.status === 401)
    return {
      title: t.couldNotCheck,
      text: t.sessionEnded,
      button: t.signInAgain,
      prepare: () => authenticate(received, form),
    };
  if (!received.getElementById('preview')) {
    const text = received.querySelector('main p')?.textContent ?? '';
    return { title: t.couldNotCheck, text, button: t.tryAgain };
  }
  const invalid = showProblems(form, received);
  // While a colour is being typed, the last valid preview stays.
  if (invalid.some((name) => name !== 'logo'))
    return { title: t.notCheckedYet, text: t.fieldNotValid };
  showParts(['preview', 'unsaved', 'saved-state'], received);
  if (!invalid.includes('logo')) showParts(['logo-shown'], received);
  // The response contains the logo as a form field.
  if (file && uploaded && file.files?.[0] === uploaded) file.value = '';
  const said = all('.say span, .verdict .row span', HTMLElement).map((part) => part.textContent);
  if (invalid.length === 0) announce(said.join(', '));
  return null;
}

/** Takes the verdict away while the next one is computed. */
function showChecking(preview: HTMLElement): void {
  showState(preview, { title: t.checking, text: t.pictureIsOld });
  preview.querySelector('.say')?.setAttribute('class', 'busy');
}

/** Says in place of the verdict why there is none. */
function showStale(preview: HTMLElement, problem: Problem, retry: () => void): void {
  const verdict = showState(preview, problem);
  verdict?.classList.add('stale');
  announce(t.problem({ title: problem.title, why: problem.text }));
  if (!problem.button) return;
  const button = createButton(problem.button, async () => {
    if ((await problem.prepare?.()) ?? true) retry();
  });
  verdict?.append(button);
}

/** Replaces verdict and advice by a title and a text, empties the meter, and lets the picture fade. */
function showState(preview: HTMLElement, { title, text }: Problem): HTMLElement | undefined {
  one('.stage', HTMLElement, preview)?.setAttribute('aria-busy', 'true');
  for (const old of all('.advice, .why, .undo', HTMLElement, preview)) old.remove();
  const verdict = one('.verdict', HTMLElement, preview);
  const say = create('div', { className: 'say', textContent: title });
  const why = create('p', { className: 'small soft', textContent: text });
  if (!verdict) return undefined;
  verdict.className = 'verdict';
  const [score, band] = all('.row span', HTMLElement, verdict);
  if (score) score.textContent = t.readabilityUnknown;
  if (band) band.textContent = '';
  const meter = verdict.querySelectorAll('.row, .gauge, .bands');
  verdict.replaceChildren(say, ...meter, why);
  return verdict;
}

/** Returns the values that a button gives to fields. */
function valuesOf(button: HTMLElement): [name: string, value: string][] {
  const values: Record<string, unknown> = JSON.parse(button.dataset['values'] ?? '{}');
  return Object.entries(values).map(([name, value]) => [name, String(value ?? '')]);
}

/** Marks the preset whose values the fields have. */
function markPresets(form: HTMLFormElement): void {
  const fields = new FormData(form);
  for (const preset of all('.preset', HTMLButtonElement, form))
    preset.ariaPressed = String(
      valuesOf(preset).every(([name, value]) => fields.get(name) === value),
    );
}
