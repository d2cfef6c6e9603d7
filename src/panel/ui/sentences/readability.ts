import type { Advice, Design, DesignChanges } from '../../../core/designs/design.ts';
import type { ReadabilityReason } from '../../../core/designs/readability.ts';
import { type DesignReason, type Sentences, sentenceOf } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { sentencesOf } from '../../../sentences/lists.ts';
import * as common from '../../../sentences/readability.ts';
import { colourName } from './colour-names.ts';
import { cautionSentences } from './print.ts';

/** Why phones cannot read codes, in the words of the fields of a design. */
function readabilitySentences(texts: Texts): Sentences<ReadabilityReason> {
  const { readability: t } = texts;
  return {
    ...common.readabilitySentences(texts),
    inverted: () => t.inverted,
    'finder patterns lighter than the background': () => t.cornersLighter,
    'finder patterns paler than modules': () => t.cornersPaler,
    'modules paler than finder patterns': () => t.squaresPaler,
    'too close to the background': ({ tone, measure, percent, neededPercent }) => {
      const measured = {
        measure: measure === 'symbol contrast' ? 'symbolContrast' : 'printContrast',
        percent,
        neededPercent,
      } as const;
      return tone === 'finder patterns' ? t.cornersTooClose(measured) : t.patternTooClose(measured);
    },
    'quiet zone too narrow': ({ modules, neededModules }) =>
      t.marginTooNarrow({ squares: modules, needed: neededModules }),
    'logo hides too much': t.logoHidesTooMuch,
    'logo looks like an alignment pattern': () => t.logoLikeAlignment,
    'logo is a code': () => t.logoIsCode,
    'not read as SVG': () => t.notReadAsSvg,
    'logo placed elsewhere': ({ sizePercent, isMoved }) => {
      const how = sizePercent === 100 ? 'moved' : isMoved ? 'smallerAndMoved' : 'smaller';
      return t.logoPlaced({ how, sizePercent });
    },
    'not for black and white': cautionSentences(texts)['not for black and white'],
  };
}

/** Says a reason in the words of the design's fields. */
function readabilitySentence(reason: ReadabilityReason, texts: Texts): string {
  return sentenceOf(readabilitySentences(texts), reason);
}

type Colours = Pick<Design, 'foreground' | 'background' | 'finderColor'>;

/** A design that phones cannot read: the one that a page shows, the default, or a saved one by its name. */
type Unreadable =
  | { readonly design: 'shown'; readonly name: '' }
  | { readonly design: 'default' | 'named'; readonly name: string };

/** Says in a sentence, without numbers, why phones cannot read a design. Null if it takes more than that. */
function cause(
  reason: ReadabilityReason,
  unreadable: Unreadable,
  { foreground, background, finderColor }: Colours,
  texts: Texts,
): string | null {
  const { unreadable: t, colours } = texts;
  switch (reason.kind) {
    case 'too close to the background': {
      const isOfCorners = reason.tone === 'finder patterns' && finderColor !== null;
      const colour = colours.name({ colour: colourName(isOfCorners ? finderColor : foreground) });
      const behind = colourName(background);
      if (behind === 'white')
        return (isOfCorners ? t.cornersTooPale : t.patternTooPale)({ ...unreadable, colour });
      return (isOfCorners ? t.cornersTooClose : t.patternTooClose)({
        ...unreadable,
        colour,
        background: colours.name({ colour: behind }),
      });
    }
    case 'logo hides too much':
      return t.logoCoversTooMuch(unreadable);
    case 'quiet zone too narrow':
      return t.marginTooNarrow(unreadable);
    case 'no scan read it':
      return t.noScanReadIt(unreadable);
    default:
      return null;
  }
}

/** Says in one sentence, without numbers, why phones cannot read a design. */
export function readabilityCause(
  reason: ReadabilityReason,
  colours: Colours,
  texts: Texts,
): string {
  return (
    cause(reason, { design: 'shown', name: '' }, colours, texts) ??
    readabilitySentence(reason, texts)
  );
}

/**
 * Says that a design cannot be read, and the first reason.
 *
 * @param name empty for the default design
 */
export function unreadableSentence(
  name: string,
  [reason]: readonly ReadabilityReason[],
  colours: Colours,
  texts: Texts,
): string {
  const unreadable = { design: name === '' ? 'default' : 'named', name } as const;
  const what = texts.unreadable.design(unreadable);
  if (reason === undefined) return what;
  return (
    cause(reason, unreadable, colours, texts) ??
    sentencesOf([what, readabilitySentence(reason, texts)], texts)
  );
}

type Setting = Exclude<keyof DesignChanges, 'caption'>;

/** How the values of settings are written, with their units. */
const settingTexts = ({
  designChanges: t,
  designs,
}: Texts): { readonly [Name in Setting]: (value: NonNullable<DesignChanges[Name]>) => string } => ({
  foreground: (colour) => colour,
  background: (colour) => colour,
  moduleShape: (shape) => t.shapeName({ shape }),
  finderShape: (shape) => t.shapeName({ shape }),
  finderColor: (colour) => colour,
  logoSizePercent: (percent) => designs.logoSizeValue({ percent }),
  logoPatch: (space) => t.spaceName({ space }),
  quietZoneModules: (squares) => designs.marginValue({ squares }),
  captionPlace: (place) => t.placeName({ place }),
});

/** Returns the value of a setting as a text. */
function settingText<Name extends Setting>(
  name: Name,
  values: DesignChanges,
  texts: Texts,
): string {
  const value = values[name];
  // Only the colour of the corners may be none.
  return value == null ? texts.designChanges.colourOfPattern : settingTexts(texts)[name](value);
}

/** Says which changes make a design pass. */
export function adviceSentence({ changes, instead }: Advice, texts: Texts): string {
  const { designChanges: t } = texts;
  // The cast is safe: these are the keys of the object. No advice is about the text of a caption.
  const names = Object.keys(changes) as Setting[];
  const said = names.map((setting) =>
    t.advised({
      setting,
      from: settingText(setting, instead, texts),
      to: settingText(setting, changes, texts),
    }),
  );
  return t.advice({ changes: texts.formats.list(said) });
}

/** Returns the changes of a design in words: `Pattern changed from #fdba74 to #c5863f.` */
export function changeSentence(
  setting: keyof DesignChanges,
  from: Design,
  to: Design,
  texts: Texts,
): string {
  const { designChanges: t } = texts;
  if (setting === 'caption') {
    const isNew = from.caption === undefined;
    return t.captionChanged({
      how: to.caption === undefined ? 'removed' : isNew ? 'new' : 'another',
    });
  }
  return t.changed({
    setting,
    from: settingText(setting, from, texts),
    to: settingText(setting, to, texts),
  });
}

/** Says why codes in a design cannot be read and what would help, or what is weak about it. */
export function readabilityText({ reasons, advice }: common.Verdict, texts: Texts): string {
  const said = reasons.map((reason) => readabilitySentence(reason, texts));
  return sentencesOf(advice === null ? said : [...said, adviceSentence(advice, texts)], texts);
}

export const designSentences = (texts: Texts): Sentences<DesignReason> => ({
  'design unreadable': ({ isDefault, ...result }) => {
    const summary = texts.readability.designUnreadable({ isDefault });
    const why = readabilityText(result, texts);
    return why === '' ? summary : sentencesOf([summary, why], texts);
  },
});
