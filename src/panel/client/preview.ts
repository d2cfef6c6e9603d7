import { one } from './dom.ts';
import { draftLogo, fillIn, type Keeper, keeperOf } from './draft.ts';
import { markBar, markBehind, tell, tellProblems, tellStale } from './problems.ts';
import { showsUnsaved, showUnsaved } from './unsaved.ts';

const delayMs = 180;
/** HTTP: the form, with the file in it, is more than the server takes. */
const tooLarge = 413;

/** Lets the server draw the design whenever the form changes, and shows what it says. */
export function follow(form: HTMLFormElement, place: HTMLElement): void {
  const keeper = keeperOf(form);
  const drawer = drawerOf(form, place, keeper);
  const file = one('input[type=file]', HTMLInputElement, form);
  const without = one('input[name=no_logo]', HTMLInputElement, form);

  form.addEventListener('input', () => {
    showUnsaved(form);
    drawer.drawSoon();
  });
  // Before whatever else is clicked, such as a link to another page.
  form.addEventListener('change', keeper.note);
  file?.addEventListener('change', () => {
    showUnsaved(form);
    if (without && file.files?.length) without.checked = false;
    drawer.draw();
  });
  place.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-advised]');
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    showUnsaved(form);
    takeAdvice(form, JSON.parse(button.dataset['advised'] ?? '{}'));
    drawer.draw();
  });

  let saving = false;
  form.addEventListener('submit', ({ submitter }) => {
    keeper.send();
    saving = submitter instanceof HTMLButtonElement && submitter.value === 'save';
    if (!saving) return;
    drawer.stop();
    keeper.forget();
  });
  // A page that comes back as it was left may show as not saved what has been saved since.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && saving) location.reload();
  });
  const sent = keeper.takeSent();
  // What a page shows as not saved is what was sent to it.
  const draft = (showsUnsaved(form) ? null : sent) ?? keeper.noted();
  if (draft === null) return;
  fillIn(form, draft);
  const logo = draft[draftLogo];
  if (logo !== undefined && !form.elements.namedItem(draftLogo)) placeLogo(form, logo, place);
  showUnsaved(form);
  drawer.draw();
}

/** Puts a logo that waits to be saved where the server puts it, which replaces it with the next picture. */
function placeLogo(form: HTMLFormElement, value: string, place: Element): void {
  const present = form.elements.namedItem(draftLogo);
  if (present instanceof HTMLInputElement) present.remove();
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: draftLogo, value });
  field.setAttribute('form', form.id);
  place.append(field);
}

/** Puts what is advised into the fields of its names. */
function takeAdvice(form: HTMLFormElement, advised: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(advised)) {
    const field = form.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = value;
    if (!(field instanceof HTMLInputElement)) continue;
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** Has the server draw the form as it stands. A later picture takes the place of one that is awaited. */
interface Drawer {
  draw(): void;
  /** Once nothing has changed for a moment. */
  drawSoon(): void;
  stop(): void;
}

function drawerOf(form: HTMLFormElement, place: HTMLElement, keeper: Keeper): Drawer {
  let pending: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const draw = async () => {
    clearTimeout(timer);
    pending?.abort();
    const own = new AbortController();
    pending = own;
    place.setAttribute('aria-busy', 'true');
    try {
      await drawOnce(form, place, keeper, own.signal);
    } catch {
      if (!own.signal.aborted) tellStale(place);
    } finally {
      if (pending === own) place.removeAttribute('aria-busy');
    }
  };

  return {
    draw,
    drawSoon: () => {
      clearTimeout(timer);
      timer = setTimeout(draw, delayMs);
    },
    stop: () => {
      clearTimeout(timer);
      pending?.abort();
    },
  };
}

/** @throws when the server does not answer, or the signal says that nobody waits for it any more */
async function drawOnce(
  form: HTMLFormElement,
  place: HTMLElement,
  keeper: Keeper,
  signal: AbortSignal,
): Promise<void> {
  const file = one('input[type=file]', HTMLInputElement, form);
  const uploaded = file?.files?.[0];
  const fields = new FormData(form);
  fields.set('do', 'fragment');
  const answer = await fetch(form.action, { method: 'POST', body: fields, signal });
  // To the sign-in, because the session has ended.
  if (answer.redirected) {
    keeper.send();
    location.assign(answer.url);
    return;
  }
  const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (signal.aborted) return;
  if (answer.status === tooLarge && file) {
    tell('logo', drawn.querySelector('main p')?.textContent ?? '');
    file.value = '';
    markBar(place, 'The logo is too large.');
  }
  if (!answer.ok) {
    if (answer.status !== tooLarge) tellStale(place);
    return;
  }
  const wrong = tellProblems(form, drawn);
  show(drawn, form, place, wrong);
  // From here on the uploaded logo travels in the form, as the server has made it ready.
  if (file && uploaded && file.files?.[0] === uploaded) file.value = '';
  keeper.note();
  const status = document.getElementById(`${place.id}-status`);
  if (status && wrong.length === 0)
    status.textContent = place.querySelector('.score .told')?.textContent ?? '';
}

/** Shows what the server has drawn, but a picture of colours that are typed to the end only. */
function show(
  drawn: Document,
  form: HTMLFormElement,
  place: HTMLElement,
  wrong: readonly string[],
): void {
  // In the place of a colour that is none the server draws the one that is saved.
  if (wrong.some((name) => name !== 'logo')) {
    const waiting = drawn.querySelector(`[name=${draftLogo}]`);
    if (waiting instanceof HTMLInputElement) placeLogo(form, waiting.value, place);
    one('.stale', HTMLElement, place)?.remove();
    markBehind(place, 'Something in the form is not right.');
    one('.mini', HTMLAnchorElement, place)?.setAttribute('href', `#${form.id}`);
    return;
  }
  const within = place.contains(document.activeElement);
  place.replaceChildren(...drawn.body.children);
  // The button that was pressed is gone; whoever has no mouse goes on from here.
  if (within) place.focus({ preventScroll: true });
}
