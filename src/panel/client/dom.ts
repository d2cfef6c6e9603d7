/** Returns the elements of a type that match a selector. */
export function all<T extends Element>(
  selector: string,
  type: new () => T,
  within: ParentNode = document,
): T[] {
  return [...within.querySelectorAll(selector)].filter(
    (found): found is T => found instanceof type,
  );
}

/** Returns the first element of a type that matches a selector. */
export function one<T extends Element>(
  selector: string,
  type: new () => T,
  within: ParentNode = document,
): T | undefined {
  return all(selector, type, within)[0];
}

/** Parses the page of a response. */
export async function pageOf(response: Response): Promise<Document> {
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Creates an element with properties. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

/** Creates a small button that does something. */
export function createButton(textContent: string, onclick: () => void): HTMLButtonElement {
  return create('button', { type: 'button', className: 'button small', textContent, onclick });
}

const liveRegion = create('p', { className: 'hidden', role: 'status' });

/** Announces a text to screen readers through an ARIA live region. */
export function announce(text: string): void {
  document.body.append(liveRegion);
  liveRegion.textContent = text;
}
