import type { LogoReason } from '../core/designs/logo-reasons.ts';
import type { Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why a file cannot be the logo of a design: problem, cause, and what to do. */
export const logoSentences = ({ logoReasons: t }: Texts): Sentences<LogoReason> => ({
  'logo file empty': () => t.empty,
  'logo file too large': t.tooLarge,
  'logo takes too long': () => t.takesTooLong,
  'logo too long': ({ maxAspectRatio }) => t.tooLong({ times: maxAspectRatio }),
  'logo transparent': () => t.transparent,
  'logo too small': t.tooSmall,
  'logo of another kind': () => t.otherKind,
  'logo of other colours': () => t.otherColours,
  'logo of too many pixels': () => t.tooManyPixels,
  'logo damaged': () => t.damaged,
});
