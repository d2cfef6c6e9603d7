import { all, one } from './dom.ts';
import { say } from './say.ts';

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

/** Tells beside each field what the server found wrong with it; false where that is nothing. */
export function tellProblems(form: HTMLFormElement, place: Element): boolean {
  const told = place.querySelector('[data-problems]')?.getAttribute('data-problems');
  const problems: Record<string, string> = JSON.parse(told ?? '{}');
  for (const shown of all('.problem', HTMLElement, form)) {
    const name = shown.id.replace('-problem', '');
    tell(name, problems[name] ?? '');
  }
  return Object.keys(problems).length > 0;
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

/** Says the same where the picture is kept in sight. */
export function markBehind(place: Element, why: string): void {
  const bar = one('.mini', HTMLElement, place);
  const text = bar && one('span', HTMLElement, bar);
  if (!bar || !text) return;
  bar.classList.add('behind');
  const title = document.createElement('b');
  title.textContent = 'Not up to date';
  text.replaceChildren(title, document.createElement('br'), why);
}
