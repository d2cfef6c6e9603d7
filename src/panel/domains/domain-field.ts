import type { DomainChoices } from '../../core/codes/urls/new-domain.ts';
import { parseChoice, selectField } from '../ui/fields.tsx';
import type { Field } from '../ui/form.tsx';
import { formatDestination } from '../ui/formatting.ts';

/** Creates the fields of the domain of a new code: none where there is nothing to choose. */
export function domainFields({ urls }: DomainChoices): {
  readonly domain?: Field<string | undefined>;
} {
  if (urls.length < 2) return {};
  return {
    domain: selectField({
      label: (t) => t.domains.domain,
      hint: (t) => t.ownDomains.hint,
      options: urls.map((url) => ({ value: url, text: formatDestination(url) })),
      parse: (text) => parseChoice(text, urls, undefined),
    }),
  };
}
