import type { Advice, DesignChanges } from '../../core/designs/design.ts';
import type { ReadabilityReason } from '../../core/designs/readability.ts';
import { type DesignReason, type Sentences, sentenceOf } from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { textsOf } from '../../languages/texts.ts';
import * as common from '../../sentences/readability.ts';

/** Why codes cannot be read, in the terms of the settings that programs and commands use. */
export const readabilitySentences = (t: Texts): Sentences<ReadabilityReason> => ({
  ...common.readabilitySentences(t),
  inverted: () =>
    'The code is inverted, and many scanners read only dark on light. Make the foreground darker than the background.',
  'finder patterns lighter than the background': () =>
    'The finder patterns in the corners are lighter than the background, so that scanners do not find the code. Make them darker.',
  'finder patterns paler than modules': () =>
    'The finder patterns in the corners are much paler than the modules, so that scanners take them for background. Make them as dark as the modules.',
  'modules paler than finder patterns': () =>
    'The modules are much paler than the finder patterns or the logo, so that scanners take them for background. Make the foreground darker.',
  'too close to the background': ({ tone, measure, percent, neededPercent }) => {
    const contrast = `${measure} ${percent} %, at least ${neededPercent} % is needed`;
    return tone === 'finder patterns'
      ? `The finder patterns in the corners are too close to the background (${contrast}). Make them darker.`
      : `Foreground and background are too close (${contrast}). Make the foreground darker or the background lighter.`;
  },
  'quiet zone too narrow': ({ modules, neededModules }) =>
    `The quiet zone is ${modules} modules wide; scanners need ${neededModules}.`,
  'logo hides too much': ({ hiddenPercent, errorCorrectionPercent }) =>
    `The logo hides too much: ${hiddenPercent} % of the code, which uses ${errorCorrectionPercent} % of the error correction where it is hit worst and leaves too little for dirt and scratches. Make the logo smaller.`,
  'logo looks like an alignment pattern': () =>
    'Part of the logo looks like an alignment pattern in the wrong place, which misleads scanners. Use a smaller logo, put a patch behind it, or set a shorter short URL.',
  'logo is a code': () =>
    'The logo is a QR code itself, and a phone may open that one instead. Use a logo without a code.',
  'not read as SVG': () =>
    'The SVG cannot be read as another program (resvg) draws it, although our own picture can. Choose other shapes or colours, and report this as a fault of Waymark.',
  'logo placed elsewhere': ({ sizePercent, isMoved }) => {
    const changes = [
      ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
      ...(isMoved ? ['slightly off-center'] : []),
    ];
    return `The logo is drawn ${changes.join(' and ')}, because some scanners would mistake part of it for a pattern of the code. This placement is chosen for each code and does not change later.`;
  },
  'not for black and white': ({ color, becomes }) =>
    `Not for black-and-white printers: ${color} becomes ${becomes} or a pattern of dots. ` +
    'Print sheets in black only, or choose a ' +
    `${becomes === 'white' ? 'darker colour' : 'lighter background'}.`,
});

/** The terms and units of the settings that programs and commands use. */
const settings: Readonly<Record<keyof DesignChanges, readonly [name: string, unit: string]>> = {
  foreground: ['foreground', ''],
  background: ['background', ''],
  moduleShape: ['module shape', ''],
  finderShape: ['finder pattern shape', ''],
  finderColor: ['finder pattern colour', ''],
  logoSizePercent: ['logo size', ' %'],
  logoPatch: ['patch behind the logo', ''],
  quietZoneModules: ['quiet zone', ' modules'],
  caption: ['caption', ''],
  captionPlace: ['place of the caption', ''],
};

/** Says which changes make a design pass. */
export function adviceSentence({ changes, instead }: Advice): string {
  const parts = Object.entries(changes).map(([key, value]) => {
    // The keys of changes are keys of the settings by their type.
    const name = key as keyof DesignChanges;
    const [label, unit] = settings[name];
    const [now, before] = [value, instead[name]].map((one) =>
      one === null ? 'the foreground colour' : `${one}${unit}`,
    );
    return `${label} ${now} instead of ${before}`;
  });
  return `This passes: ${parts.join(', ')}.`;
}

/** Says why codes in a design cannot be read and what would help, or what is weak about it. */
export function readabilityText({ reasons, advice }: common.Verdict): string {
  const sentences = readabilitySentences(textsOf('en'));
  const said = reasons.map((reason) => sentenceOf(sentences, reason));
  if (advice !== null) said.push(adviceSentence(advice));
  return said.join(' ');
}

export const designSentences: Sentences<DesignReason> = {
  'design unreadable': ({ isDefault, ...result }) => {
    const summary = isDefault
      ? 'The default design of this account does not produce a readable QR.'
      : 'The chosen design does not produce a readable QR.';
    return `${summary} ${readabilityText(result)}`.trim();
  },
};
