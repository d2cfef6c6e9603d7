import { all, announce } from './dom.ts';

/** Shows a problem beside a field, or hides it when the text is empty. */
export function showProblem(name: string, problem: string): void {
  const shown = document.getElementById(`${name}-problem`);
  if (!shown) return;
  shown.hidden = problem === '';
  if (shown.textContent !== problem) shown.textContent = problem;
  const field = document.getElementById(name);
  if (problem === '') field?.removeAttribute('aria-invalid');
  else field?.setAttribute('aria-invalid', 'true');
}

/** Shows the problems of a server response beside the fields. Returns the names of invalid fields. */
export function showProblems(form: HTMLFormElement, response: ParentNode): string[] {
  const attribute = response.querySelector('[data-problems]')?.getAttribute('data-problems');
  const problems: Record<string, string> = JSON.parse(attribute ?? '{}');
  for (const shown of all('.problem', HTMLElement, form)) {
    const name = shown.id.replace('-problem', '');
    showProblem(name, problems[name] ?? '');
  }
  return Object.keys(problems);
}

/** Marks the preview as out of date, in place of its verdict. */
export function markStale(preview: Element, reason: string): void {
  const [title, detail] = [document.createElement('b'), document.createElement('span')];
  title.textContent = 'Not up to date';
  detail.textContent = reason;
  preview.querySelector('.verdict')?.classList.add('behind');
  preview.querySelector('.told')?.replaceChildren(title, detail);
  announce(`Not up to date. ${reason}`);
}
