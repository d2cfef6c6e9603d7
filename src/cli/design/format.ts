import { type Design, type ReadabilityResult, toExternalNames } from '../../core/designs/design.ts';
import { sentenceOf } from '../../core/reasons.ts';
import { adviceSentence, readabilitySentences } from '../../http/sentences/readability.ts';
import { textsOf } from '../../languages/texts.ts';
import { toJson } from '../output.ts';

/** Describes a design in one line. */
export function designText(design: Design): string {
  const {
    foreground,
    background,
    moduleShape,
    finderShape,
    finderColor,
    logoPatch,
    caption,
    captionPlace,
  } = design;
  const patch = logoPatch === 'none' ? '' : ` on a ${logoPatch} patch`;
  return [
    `${foreground} on ${background}`,
    `modules: ${moduleShape}`,
    `finder patterns: ${finderShape}${finderColor === null ? '' : ` in ${finderColor}`}`,
    `logo: ${design.logo === null ? 'none' : `${design.logoSizePercent} %${patch}`}`,
    `quiet zone: ${design.quietZoneModules} modules`,
    ...(caption === undefined ? [] : [`caption ${captionPlace} the code: ${caption}`]),
  ].join(', ');
}

/** Converts a design for `--json`. */
export function designJson(design: Design) {
  const { logo } = design;
  return {
    ...toExternalNames(design),
    logo: logo === null ? null : { width: logo.widthPx, height: logo.heightPx },
  };
}

export type ReadabilityJson = ReturnType<typeof readabilityJson>;

/**
 * Converts a readability result for `--json`.
 *
 * @param link the sample short link that was checked
 */
export function readabilityJson(result: ReadabilityResult, link: string) {
  const { advice, logoPlacement } = result;
  const sentences = readabilitySentences(textsOf('en'));
  return {
    readable: result.isReadable,
    score: result.score,
    reasons: result.reasons.map((reason) => sentenceOf(sentences, reason)),
    advice: advice && {
      changes: toExternalNames(advice.changes),
      message: adviceSentence(advice),
    },
    link,
    modules: result.modules,
    quiet_zone: result.quietZoneModules,
    ...(result.captionModules !== undefined && { caption_modules: result.captionModules }),
    ...(logoPlacement && { logo_placement: toJson(logoPlacement) }),
  };
}

/** Joins the reasons and the advice of a readability result. */
export function readabilityReasons({ reasons, advice }: ReadabilityJson): string {
  return [...reasons, advice?.message ?? ''].join(' ').trim();
}
