import { one } from './dom.ts';

/** Tells beside a form, where it has room for that, that it is not saved. */
export function showUnsaved(form: HTMLFormElement): void {
  const notice = noticeOf(form);
  if (notice) notice.hidden = false;
}

/** Whether it is told. */
export function showsUnsaved(form: HTMLFormElement): boolean {
  return noticeOf(form)?.hidden === false;
}

function noticeOf(form: HTMLFormElement): HTMLElement | undefined {
  return one('.unsaved', HTMLElement, form);
}
