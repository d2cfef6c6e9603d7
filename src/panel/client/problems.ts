import { say } from './announce.ts';
import { all, one } from './dom.ts';

/** Tells beside a field what is wrong with it, or takes that back where it is nothing. */
export function tell(name: string, problem: string): void {
  const shown = document.getElementById(`${name}-problem`);
  if (!shown) return;
  shown.hidden = problem === '';
  if (shown.textContent !== problem) shown.textContent = problem;
  const field = document.getElementById(name);
  if (problem === '') field?.removeAttribute('aria-invalid');
  else field?.setAttribute('aria-invalid', 'true');
}

/** Tells beside each field what the server found wrong with it, and names these fields. */
export function tellProblems(form: HTMLFormElement, drawn: ParentNode): string[] {
  const told = drawn.querySelector('[data-problems]')?.getAttribute('data-problems');
  const problems: Record<string, string> = JSON.parse(told ?? '{}');
  for (const shown of all('.problem', HTMLElement, form)) {
    const name = shown.id.replace('-problem', '');
    tell(name, problems[name] ?? '');
  }
  return Object.keys(problems);
}

/** Says above a picture that it is not of the form as it stands. */
export function tellStale(place: Element): void {
  one('.stale', HTMLElement, place)?.remove();
  const notice = document.createElement('p');
  notice.className = 'notice warning stale';
  notice.textContent =
    'This is not up to date: the server did not answer. The next change asks it again.';
  place.prepend(notice);
  markBehind(place, 'The server did not answer.');
  say(notice.textContent);
}

/** Says the same in the place of the verdict. */
export function markBehind(place: Element, why: string): void {
  mark('.score', place, why);
  markBar(place, why);
}

/** Says it where the picture is kept in sight of a form that is as long as the screen. */
export function markBar(place: Element, why: string): void {
  mark('.mini', place, why);
}

function mark(selector: string, place: Element, why: string): void {
  const marked = one(selector, HTMLElement, place);
  const text = marked && one('.told', HTMLElement, marked);
  if (!text) return;
  marked.classList.add('behind');
  const [title, reason] = [document.createElement('b'), document.createElement('span')];
  title.textContent = 'Not up to date';
  reason.textContent = why;
  text.replaceChildren(title, reason);
}
