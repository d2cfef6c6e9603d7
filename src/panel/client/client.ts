/**
 * The panel's only script. Every page works without it; it adds copying, dropping files, colour
 * wells, the preview that follows the form, and forms that come back as they were sent.
 */

const previewDelayMs = 180;
const copiedForMs = 1600;
/** HTTP: the form, with the file in it, is more than the server takes. */
const tooLarge = 413;

function all<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
) {
  return [...within.querySelectorAll(selector)].filter(
    (found): found is T => found instanceof kind,
  );
}

function one<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
) {
  return all(selector, kind, within)[0];
}

/** Copies text, also where the page is not on https and the modern way is closed. */
async function copy(text: string, from: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = from.parentElement?.querySelector('code');
    if (!shown) return false;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}

const said = document.createElement('p');
said.className = 'hidden';
said.role = 'status';

/** Tells a screen reader what eyes see elsewhere. */
function say(text: string) {
  document.body.append(said);
  said.textContent = text;
}

for (const button of all('[data-copy]', HTMLButtonElement)) {
  button.hidden = false;
  const name = button.textContent;
  button.addEventListener('click', async () => {
    const copied = await copy(button.dataset['copy'] ?? '', button);
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    say(button.textContent);
    setTimeout(() => {
      button.textContent = name;
      say('');
    }, copiedForMs);
  });
}

/** Keeps a colour well and its text field the same; an empty field shows the colour it follows. */
function joinColor(field: HTMLElement) {
  const well = one('input[type=color]', HTMLInputElement, field);
  const text = one('input[type=text]', HTMLInputElement, field);
  if (!well || !text) return;
  const followed = field.dataset['follows'];
  const other = followed ? document.getElementById(followed) : null;
  const show = () => {
    const typed = text.value.trim() || (other instanceof HTMLInputElement ? other.value : '');
    const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed)?.[1];
    if (digits) well.value = `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  };
  well.hidden = false;
  show();
  text.addEventListener('input', show);
  text.addEventListener('change', show);
  other?.addEventListener('input', show);
  other?.addEventListener('change', show);
  well.addEventListener('input', () => {
    text.value = well.value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
for (const field of all('[data-color]', HTMLElement)) joinColor(field);

for (const output of all('output[data-unit]', HTMLOutputElement)) {
  const slider = document.getElementById(output.htmlFor.value);
  if (!(slider instanceof HTMLInputElement)) continue;
  const show = () => {
    output.textContent = `${slider.value} ${output.dataset['unit'] ?? ''}`;
  };
  slider.addEventListener('input', show);
  slider.addEventListener('change', show);
}

/** Takes a file that is dropped on the field. */
function takeDrops(zone: HTMLElement) {
  const input = one('input[type=file]', HTMLInputElement, zone);
  if (!input) return;
  for (const type of ['dragenter', 'dragover'] as const)
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.add('over');
    });
  for (const type of ['dragleave', 'drop'] as const)
    zone.addEventListener(type, () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    input.files = files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}
for (const zone of all('[data-drop]', HTMLElement)) takeDrops(zone);

/** Tells beside a field what is wrong with it, or takes that back where it is nothing. */
function tell(name: string, problem: string) {
  const shown = document.getElementById(`${name}-problem`);
  if (!shown) return;
  shown.hidden = problem === '';
  if (shown.textContent !== problem) shown.textContent = problem;
  const field = document.getElementById(name);
  if (problem === '') field?.removeAttribute('aria-invalid');
  else field?.setAttribute('aria-invalid', 'true');
}

/** Tells beside each field what the server found wrong with it; false where that is nothing. */
function tellProblems(form: HTMLFormElement, place: Element): boolean {
  const told = place.querySelector('[data-problems]')?.getAttribute('data-problems');
  const problems: Record<string, string> = JSON.parse(told ?? '{}');
  for (const shown of all('.problem', HTMLElement, form)) {
    const name = shown.id.replace('-problem', '');
    tell(name, problems[name] ?? '');
  }
  return Object.keys(problems).length > 0;
}

/** Says above a picture that it is not of the form as it stands. */
function tellStale(place: Element) {
  one('.stale', HTMLElement, place)?.remove();
  const notice = document.createElement('p');
  notice.className = 'notice warning stale';
  notice.textContent =
    'This is not up to date: the server did not answer. The next change asks it again.';
  place.prepend(notice);
  markBehind(place, 'The server did not answer.');
  say(notice.textContent);
}

/** Says the same where the picture is kept in sight. */
function markBehind(place: Element, why: string) {
  const bar = one('.mini', HTMLElement, place);
  const text = bar && one('span', HTMLElement, bar);
  if (!bar || !text) return;
  bar.classList.add('behind');
  const title = document.createElement('b');
  title.textContent = 'Not up to date';
  text.replaceChildren(title, document.createElement('br'), why);
}

const sentPrefix = 'sent ';
/** The account that is signed in, or nothing. */
const account = document.body.dataset['account'];

/** Under which name the tab keeps what was sent to an address, for this account alone. */
function nameOfSent(path: string) {
  return `${sentPrefix}${account} ${path}`;
}

/** Lets go of what has arrived, and of everything once somebody has signed out or another account in. */
function forgetSent() {
  const query = new URLSearchParams(location.search);
  const isOver = (name: string) =>
    query.has('goodbye') || (account !== undefined && !name.startsWith(nameOfSent('')));
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(sentPrefix) && isOver(name)) sessionStorage.removeItem(name);
  const { pathname } = location;
  const done = query.get('done');
  if (done === 'created')
    sessionStorage.removeItem(nameOfSent(pathname.slice(0, pathname.lastIndexOf('/'))));
  if (done === 'destination') sessionStorage.removeItem(nameOfSent(`${pathname}/destination`));
  if (done === 'saved') sessionStorage.removeItem(nameOfSent(pathname));
}
forgetSent();

/** What was sent to an address and may not have arrived. It is given once. */
function takeSent(name: string): string | null {
  const sent = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  return sent;
}

/** What stands in a form, by name, but for its token and a file. */
type Draft = Readonly<Record<string, string>>;

function draftOf(form: HTMLFormElement): Draft {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => entry[0] !== 'csrf' && typeof entry[1] === 'string',
  );
  return Object.fromEntries(entries);
}

/** Fills a form in as it stood, and lets everything that follows its fields know. */
function fillIn(form: HTMLFormElement, draft: Draft, place: Element) {
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

/**
 * Keeps what is not saved: with the page in the tab's history, for going back to it and reloading it, and
 * once in the tab for the page that comes after a sign-in. Nothing is kept where the browser has no room.
 */
function keeperOf(form: HTMLFormElement) {
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
    send: () => tried(() => sessionStorage.setItem(name, JSON.stringify(draftOf(form)))),
    forget: () => tried(() => history.replaceState(null, '')),
    /** @param asSent whether the page itself shows what was sent */
    take: (asSent: boolean): Draft | null => {
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

/** Lets the server draw the design whenever the form changes, and shows what it says. */
function follow(form: HTMLFormElement, place: Element) {
  let pending: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const file = one('input[type=file]', HTMLInputElement, form);
  const without = one('input[name=no_logo]', HTMLInputElement, form);
  const keeper = keeperOf(form);

  const draw = async () => {
    pending?.abort();
    const own = new AbortController();
    pending = own;
    place.setAttribute('aria-busy', 'true');
    const fields = new FormData(form);
    fields.set('do', 'fragment');
    const uploaded = file?.files?.[0];
    try {
      const answer = await fetch(form.action, { method: 'POST', body: fields, signal: own.signal });
      // To the sign-in, because the session has ended.
      if (answer.redirected) {
        keeper.send();
        location.assign(answer.url);
        return;
      }
      const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (own.signal.aborted) return;
      if (answer.status === tooLarge && file) {
        tell('logo', drawn.querySelector('main p')?.textContent ?? '');
        file.value = '';
        markBehind(place, 'The logo is too large.');
      }
      if (!answer.ok) {
        if (answer.status !== tooLarge) tellStale(place);
        return;
      }
      const within = place.contains(document.activeElement);
      place.replaceChildren(...drawn.body.children);
      // The button that was pressed is gone; whoever has no mouse goes on from here.
      if (within && place instanceof HTMLElement) place.focus({ preventScroll: true });
      const complaint = tellProblems(form, place);
      // From here on the uploaded logo travels in the form, as the server has made it ready.
      if (file && uploaded && file.files?.[0] === uploaded) file.value = '';
      keeper.note();
      const status = document.getElementById(`${place.id}-status`);
      if (status && !complaint)
        status.textContent = place.querySelector('.score p')?.textContent ?? '';
    } catch {
      if (!own.signal.aborted) tellStale(place);
    } finally {
      if (pending === own) place.removeAttribute('aria-busy');
    }
  };

  const unsaved = one('.unsaved', HTMLElement, form);
  const touch = () => {
    if (unsaved) unsaved.hidden = false;
  };
  form.addEventListener('input', () => {
    touch();
    clearTimeout(timer);
    timer = setTimeout(draw, previewDelayMs);
  });
  // Before whatever else is clicked, such as a link to another page.
  form.addEventListener('change', keeper.note);
  file?.addEventListener('change', () => {
    touch();
    if (without && file.files?.length) without.checked = false;
    clearTimeout(timer);
    void draw();
  });
  place.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-advised]');
    if (!(button instanceof HTMLElement)) return;
    event.preventDefault();
    touch();
    const advised: Record<string, string> = JSON.parse(button.dataset['advised'] ?? '{}');
    for (const [name, value] of Object.entries(advised)) {
      const field = form.elements.namedItem(name);
      if (field instanceof RadioNodeList) field.value = value;
      if (!(field instanceof HTMLInputElement)) continue;
      field.value = value;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
    void draw();
  });

  let saving = false;
  form.addEventListener('submit', ({ submitter }) => {
    keeper.send();
    saving = submitter instanceof HTMLButtonElement && submitter.value === 'save';
    if (!saving) return;
    clearTimeout(timer);
    pending?.abort();
    keeper.forget();
  });
  // A page that comes back as it was left may show as not saved what has been saved since.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && saving) location.reload();
  });
  const draft = keeper.take(unsaved?.hidden === false);
  if (draft === null) return;
  fillIn(form, draft, place);
  touch();
  void draw();
}

/**
 * Keeps what was typed, in this tab and for this account alone, until it has arrived. A form may come to
 * nothing because the session had ended or the design is refused; on its page it then stands as it was sent.
 */
function keep(form: HTMLFormElement) {
  const name = nameOfSent(new URL(form.action).pathname);
  const field = one('input[name=url]', HTMLInputElement, form);
  if (!field) return;
  const unsaved = one('.unsaved', HTMLElement, form);
  const touch = () => {
    if (unsaved) unsaved.hidden = false;
  };
  // What was refused stands there already, with the reason.
  const sent = field.hasAttribute('aria-invalid') ? null : takeSent(name);
  if (sent !== null) {
    field.value = sent;
    if (sent !== field.defaultValue) touch();
  }
  field.addEventListener('input', touch);
  form.addEventListener('submit', () => sessionStorage.setItem(name, field.value));
}
for (const form of all('form[data-keep]', HTMLFormElement)) keep(form);

for (const form of all('form[data-preview]', HTMLFormElement)) {
  const place = document.getElementById(form.dataset['preview'] ?? '');
  if (place) follow(form, place);
  for (const button of all('[data-only-without-script]', HTMLElement, form)) button.hidden = true;
}
