import type { Advice, DesignChanges } from '../core/designs/design.ts';
import type { ReadabilityReason } from '../core/designs/readability.ts';
import { type Sentences, sentenceOf } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why codes cannot be read, where settings and fields of a design have the same words. */
export const readabilitySentences = (_: Texts) =>
  ({
    'logo reaches function patterns': () =>
      'The logo reaches into the corners and edges that scanners need to find the code. Make it smaller.',
    'logo hides the alignment pattern': () =>
      'The logo hides the small square at the lower right that scanners align to. Make it smaller.',
    'no scan read it': ({ scans }) => `None of ${scans} simulated scans read the link.`,
    'low contrast': () =>
      'The contrast is low: most phones read the code, some older scanners do not.',
    'some colours pale': () =>
      'Some colours are much paler than others: in poor light some scanners lose them.',
    'much error correction used': ({ errorCorrectionPercent }) =>
      `The logo uses ${errorCorrectionPercent} % of the error correction: keep the print clean, or make the logo smaller.`,
  }) satisfies Partial<Sentences<ReadabilityReason>>;

/** How a surface calls the settings of a design. */
export interface DesignWords {
  readonly settings: Readonly<Record<keyof DesignChanges, readonly [name: string, unit: string]>>;
  /** The colour of corners that have none of their own. */
  readonly colorOfPattern: string;
  readonly list: (parts: readonly string[]) => string;
}

/** Returns the value of a setting as a text, with its unit. */
export function settingText(
  name: keyof DesignChanges,
  value: DesignChanges[keyof DesignChanges],
  { settings, colorOfPattern }: DesignWords,
): string {
  return value === null ? colorOfPattern : `${value}${settings[name][1]}`;
}

/** Says which changes make a design pass. */
export function adviceSentence({ changes, instead }: Advice, words: DesignWords): string {
  const parts = Object.entries(changes).map(([key, value]) => {
    // The keys of changes are keys of the settings by their type.
    const name = key as keyof DesignChanges;
    const [label] = words.settings[name];
    return `${label} ${settingText(name, value, words)} instead of ${settingText(name, instead[name], words)}`;
  });
  return `This passes: ${words.list(parts)}.`;
}

/** What a check of the readability found. */
export interface Verdict {
  readonly reasons: readonly ReadabilityReason[];
  readonly advice: Advice | null;
}

/** Says why codes in a design cannot be read and what would help, or what is weak about it. */
export function readabilityText(
  result: Verdict,
  sentences: Sentences<ReadabilityReason>,
  words: DesignWords,
): string {
  const said = result.reasons.map((reason) => sentenceOf(sentences, reason));
  if (result.advice !== null) said.push(adviceSentence(result.advice, words));
  return said.join(' ');
}
