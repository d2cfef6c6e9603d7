import { headerKey } from './header-words.ts';
import { isNone } from './inactive.ts';

/** What a link does at the other service and an imported one does not. */
export type Difference =
  /** It leads elsewhere by device, country, language or share, or shows the page in a frame. */
  | 'targeted'
  /** The service adds parameters to the destination. */
  | 'parameters'
  /** It ends at a time or a number of scans. */
  | 'ends';

const rules =
  /(?:rules|targeting(?:type)?|smarturls|deeplinks|spliturl|splitpercent|abtest(?:ing)?|variants|rotation|cloaking|cloaked|rewrite)$|^devicelongurls/;
const addressesByVisitor =
  /^(?:ios|iphone|ipad|apple|android|google|googleplay|desktop|mobile|tablet|windows|macos)(?:url|link|target|destination)?$|^geo|^(?:redirects|destinations|targets)$|^(?:countr(?:y|ies)|languages?|devices?)(?:urls?|links?|targets?)$/;
const parameter = /^utm(?:source|medium|campaign|term|content|id)$/;

interface DifferenceField {
  readonly column: number;
  readonly difference: Difference;
  /** Returns whether an imported link lacks what a value of the field says. */
  readonly isLost: (value: string, destination: string) => boolean;
}

/** Creates the function that returns what a link does at the other service, by the names of its fields. */
export function differenceReader(
  names: readonly string[],
): (valueAt: (column: number) => string, destination: string) => Difference[] {
  const fields = names.flatMap((name, column): DifferenceField[] => {
    const key = headerKey(name);
    if (rules.test(key)) return [{ column, difference: 'targeted', isLost: () => true }];
    if (addressesByVisitor.test(key))
      return [{ column, difference: 'targeted', isLost: isAddress }];
    if (!parameter.test(key)) return [];
    const written = `utm_${key.slice('utm'.length)}=`;
    const isLost = (_: string, destination: string) => !destination.toLowerCase().includes(written);
    return [{ column, difference: 'parameters', isLost }];
  });
  return (valueAt, destination) => {
    const found = fields.flatMap(({ column, difference, isLost }) => {
      const value = valueAt(column);
      return !isNone(value) && isLost(value, destination) ? difference : [];
    });
    return [...new Set(found)];
  };
}

function isAddress(value: string): boolean {
  return /[a-z]:\/\//i.test(value);
}
