import type { Advice, Design, DesignChanges } from '../../../core/designs/design.ts';
import type { ReadabilityReason } from '../../../core/designs/readability.ts';
import { type DesignReason, type Sentences, sentenceOf } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatList } from '../../../lib/numbers.ts';
import * as common from '../../../sentences/readability.ts';
import { colourName } from './colour-names.ts';
import { cautionSentences } from './print.ts';

/** Why phones cannot read codes, in the words of the fields of a design. */
const readabilitySentences = (t: Texts): Sentences<ReadabilityReason> => ({
  ...common.readabilitySentences(t),
  inverted: () =>
    'Light on dark: many phones expect dark on light. Make the pattern darker than the background.',
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
  'not for black and white': cautionSentences(t)['not for black and white'],
});

/** Says a reason in the words of the design's fields. */
function readabilitySentence(reason: ReadabilityReason, t: Texts): string {
  return sentenceOf(readabilitySentences(t), reason);
}

type Colours = Pick<Design, 'foreground' | 'background' | 'finderColor'>;

/**
 * Says in a clause, without numbers, why phones cannot read a design:
 * `its orange is too pale for the white behind it`.
 *
 * @param the what the clause begins with where it names a part of the design
 */
function cause(reason: ReadabilityReason, design: Colours, the: 'The' | 'its'): string {
  const { foreground, background, finderColor } = design;
  const behind = colourName(background);
  switch (reason.kind) {
    case 'too close to the background': {
      const isFinder = reason.tone === 'finder patterns' && finderColor !== null;
      const colour = colourName(isFinder ? finderColor : foreground);
      const part = isFinder ? `${the} ${colour} of the corners` : `${the} ${colour}`;
      const isPale = behind === 'white';
      return `${part} is too ${isPale ? 'pale for' : 'close to'} the ${behind} behind it`;
    }
    case 'logo hides too much':
      return `${the} logo covers too much of the pattern`;
    case 'quiet zone too narrow':
      return `${the} margin is too narrow`;
    case 'no scan read it':
      return `${the} code was not read in any simulated scan`;
    default:
      return '';
  }
}

/** Says in one sentence, without numbers, why phones cannot read a design. */
export function readabilityCause(reason: ReadabilityReason, design: Colours, t: Texts): string {
  const clause = cause(reason, design, 'The');
  return clause === '' ? readabilitySentence(reason, t) : `${clause}.`;
}

/** Says that a design cannot be read, and the first reason. */
export function unreadableSentence(
  named: string,
  [reason]: readonly ReadabilityReason[],
  design: Colours,
  t: Texts,
): string {
  const what = `Phones can’t read ${named}`;
  if (reason === undefined) return `${what}.`;
  const clause = cause(reason, design, 'its');
  return clause === '' ? `${what}. ${readabilitySentence(reason, t)}` : `${what}: ${clause}.`;
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
    caption: ['caption', ''],
    captionPlace: ['place of the caption', ''],
  },
  colorOfPattern: 'the colour of the pattern',
  list: formatList,
};

/** Says which changes make a design pass. */
export function adviceSentence(advice: Advice): string {
  return common.adviceSentence(advice, words);
}

/** Returns the changes of a design in words: `Pattern changed from #fdba74 to #c5863f.` */
export function changeSentence(name: keyof DesignChanges, from: Design, to: Design): string {
  if (name === 'caption') {
    if (to.caption === undefined) return 'The caption is removed.';
    return from.caption === undefined ? 'The caption is new.' : 'The caption is another one.';
  }
  const [label] = words.settings[name];
  const what = `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  const [before, after] = [from, to].map((design) => common.settingText(name, design[name], words));
  return `${what} changed from ${before} to ${after}.`;
}

/** Says why codes in a design cannot be read and what would help, or what is weak about it. */
export function readabilityText(result: common.Verdict, t: Texts): string {
  return common.readabilityText(result, readabilitySentences(t), words);
}

export const designSentences = (t: Texts): Sentences<DesignReason> => ({
  'design unreadable': ({ isDefault, ...result }) =>
    `${isDefault ? 'Your default design' : 'The chosen design'} does not produce a readable code. ${readabilityText(result, t)}`.trim(),
});
