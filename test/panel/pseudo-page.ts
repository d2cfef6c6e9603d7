import type { Locator, Page } from 'playwright-core';
import { inAnyLanguage } from '../support/pseudo.ts';

/** Returns a page whose elements are found by their English texts, although it is in a pseudo-language. */
export function inPseudoLanguage<T extends Page | Locator>(found: T): T {
  const byText =
    (method: 'getByLabel' | 'getByText') =>
    (...[text, options]: Parameters<Page['getByText']>) =>
      inPseudoLanguage(found[method](inAnyLanguage(text, options?.exact)));
  const finders: Readonly<Record<string | symbol, unknown>> = {
    getByLabel: byText('getByLabel'),
    getByText: byText('getByText'),
    getByRole: (...[role, { name, exact } = {}]: Parameters<Page['getByRole']>) =>
      inPseudoLanguage(
        found.getByRole(role, name === undefined ? {} : { name: inAnyLanguage(name, exact) }),
      ),
    locator: (selector: string, { hasText }: { hasText?: string } = {}) =>
      inPseudoLanguage(
        found.locator(selector, hasText === undefined ? {} : { hasText: inAnyLanguage(hasText) }),
      ),
  };
  return new Proxy(found, {
    get: (target, name) => {
      const member: unknown = finders[name] ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
