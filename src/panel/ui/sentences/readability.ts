import type { Advice } from '../../../core/designs/design.ts';
import type { ReadabilityReason } from '../../../core/designs/readability.ts';
import { type DesignReason, type Sentences, sentenceOf } from '../../../core/reasons.ts';
import { formatList } from '../../../lib/numbers.ts';
import * as common from '../../../sentences/readability.ts';
import { cautionSentences } from './print.ts';

/** Why phones cannot read codes, in the words of the fields of a design. */
const readabilitySentences: Sentences<ReadabilityReason> = {
  ...common.readabilitySentences,
  inverted: () =>
    'The code is inverted, and many scanners read only dark on light. Make the pattern darker than the background.',
  'finder patterns lighter than the background': () =>
    'The corners are lighter than the background, so that scanners do not find the code. Make them darker.',
  'finder patterns paler than modules': () =>
    'The corners are much paler than the squares, so that scanners take them for background. Make them as dark as the squares.',
  'modules paler than finder patterns': () =>
    'The squares are much paler than the corners or the logo, so that scanners take them for background. Make the pattern darker.',
  'too close to the background': ({ tone, measure, percent, neededPercent }) => {
    const contrast = `${measure} ${percent} %, at least ${neededPercent} % is needed`;
    return tone === 'finder patterns'
      ? `The corners are too close to the background (${contrast}). Make them darker.`
      : `Pattern and background are too close (${contrast}). Make the pattern darker or the background lighter.`;
  },
  'quiet zone too narrow': ({ modules, neededModules }) =>
    `The margin is ${modules} squares wide; scanners need ${neededModules}.`,
  'logo hides too much': ({ hiddenPercent, errorCorrectionPercent }) =>
    `The logo hides too much: ${hiddenPercent} % of the code, which uses ${errorCorrectionPercent} % of the error correction where it is hit worst and leaves too little for dirt and scratches. Make it smaller.`,
  'logo looks like an alignment pattern': () =>
    'Part of the logo looks like a small square of the code in the wrong place, which misleads scanners. Use a smaller logo, or put a space behind it.',
  'logo is a code': () =>
    'The logo is a code itself, and a phone may open that one instead. Use a logo without a code.',
  'not read as SVG': () =>
    'The SVG cannot be read as another program draws it, although our own picture can. Choose other shapes or colours, and tell the operator: it is a fault of Waymark.',
  'logo placed elsewhere': ({ sizePercent, isMoved }) => {
    const changes = [
      ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
      ...(isMoved ? ['slightly off-centre'] : []),
    ];
    return `The logo is drawn ${formatList(changes)}, because some scanners would mistake part of it for a part of the code. This placement is chosen for each code and does not change later.`;
  },
  'not for black and white': cautionSentences['not for black and white'],
};

/** Says a reason in the words of the design's fields. */
export function readabilitySentence(reason: ReadabilityReason): string {
  return sentenceOf(readabilitySentences, reason);
}

/** The words of the fields of a design. */
const words: common.DesignWords = {
  settings: {
    foreground: ['pattern', ''],
    background: ['background', ''],
    moduleShape: ['pattern shape', ''],
    finderShape: ['corner shape', ''],
    finderColor: ['corner colour', ''],
    logoSizePercent: ['logo size', ' %'],
    logoPatch: ['space behind the logo', ''],
    quietZoneModules: ['margin', ' squares'],
  },
  colorOfPattern: 'the colour of the pattern',
  list: formatList,
};

/** Says which changes make a design pass. */
export function adviceSentence(advice: Advice): string {
  return common.adviceSentence(advice, words);
}

/** Says why codes in a design cannot be read and what would help, or what is weak about it. */
export function readabilityText(result: common.Verdict): string {
  return common.readabilityText(result, readabilitySentences, words);
}

export const designSentences: Sentences<DesignReason> = {
  'design unreadable': ({ isDefault, ...result }) =>
    `${isDefault ? 'Your default design' : 'The chosen design'} does not produce a readable code. ${readabilityText(result)}`.trim(),
};
