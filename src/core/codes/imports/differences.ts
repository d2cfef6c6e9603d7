import { headerKey, wordsOf } from './header-words.ts';
import { isNone } from './inactive.ts';

/** What a link does at the other service and an imported one does not. */
export type Difference =
  /** It leads elsewhere by device, country, language or share, or shows the page in a frame. */
  | 'targeted'
  /** The service adds parameters to the destination. */
  | 'parameters'
  /** It ends at a time or a number of scans. */
  | 'ends';

const keysOf = (words: string) => wordsOf(words).map(headerKey);

/** Ends of the names of fields that have rules. */
const ruleEnds = keysOf(
  'rules, targeting, targeting type, smart urls, deep links, split url, split percent, ab test, ab testing, variants, ' +
    'rotation, cloaking, cloaked, rewrite',
);

/** Names of fields that may have addresses for some visitors. */
const addressLists = keysOf('redirects, destinations, targets');
const platforms = keysOf(
  'ios, iphone, ipad, apple, android, google, google play, desktop, mobile, tablet, windows, macos',
);
const groups = keysOf('country, countries, language, languages, device, devices');
const addressEnd = /(?:url|link|target|destination)s?$/;

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
    if (hasRules(key)) return [{ column, difference: 'targeted', isLost: () => true }];
    if (mayHaveAddresses(key)) return [{ column, difference: 'targeted', isLost: isAddress }];
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

function hasRules(key: string): boolean {
  return key.startsWith('devicelongurls') || ruleEnds.some((end) => key.endsWith(end));
}

function mayHaveAddresses(key: string): boolean {
  const visitors = key.replace(addressEnd, '');
  return (
    key.startsWith('geo') ||
    addressLists.includes(key) ||
    platforms.includes(visitors) ||
    // A country alone is that of the link.
    (visitors !== key && groups.includes(visitors))
  );
}

function isAddress(value: string): boolean {
  return /[a-z]:\/\//i.test(value);
}
