/** The elements under `within` that a selector finds and that are of a kind. */
export function all<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T[] {
  return [...within.querySelectorAll(selector)].filter(
    (found): found is T => found instanceof kind,
  );
}

/** The first of them, if there is one. */
export function one<T extends Element>(
  selector: string,
  kind: new () => T,
  within: ParentNode = document,
): T | undefined {
  return all(selector, kind, within)[0];
}
