import type { CodeUse } from '../core/account-deletion.ts';
import type { AccountReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { waitOf } from '../lib/numbers.ts';

/** Why an account cannot be as asked. */
export const accountSentences = ({ accountReasons: t }: Texts): Sentences<AccountReason> => ({
  'no e-mail address': () => t.noEmail,
  'same e-mail address': () => t.sameEmail,
  'e-mail address taken': t.emailTaken,
  'no plan end': () => t.noPlanEnd,
  'no time zone': () => t.noTimeZone,
  'only operator': t.onlyOperator,
  'no recipient of the codes': () => t.noRecipient,
  'account gone': t.accountGone,
  'no right': () => t.noRight,
  'invited owner': t.invitedOwner,
  'invited member': t.invitedMember,
  'invitation of somebody else': () => t.invitationOfSomebodyElse,
  'too many people': t.tooManyPeople,
  'too many invitations': t.tooManyInvitations,
  'too many accounts': t.tooManyAccounts,
  'password too short': ({ minLength }) => t.passwordTooShort({ chars: minLength }),
  'password too long': ({ maxLength }) => t.passwordTooLong({ chars: maxLength }),
  'guessable password': () => t.guessablePassword,
  'same password': () => t.samePassword,
  'wrong current password': () => t.wrongCurrentPassword,
  // Also said of one that was used before.
  'wrong second factor': () => t.wrongSecondFactor,
  'unreadable second factor': () => t.unreadableSecondFactor,
  'too many attempts': ({ seconds }) => t.tooManyAttempts(waitOf(seconds)),
});

/**
 * Returns what the codes of an account are used for, in words.
 *
 * @param isOwn whether it is the account of the reader
 */
export function codeUseText(
  { codeUse: t }: Texts,
  { codes, recentScans, lastScanMs }: CodeUse,
  isOwn: boolean,
  formatTime: (ms: number) => string,
): string {
  if (codes === 0) return isOwn ? t.youHaveNone : t.itHasNone;
  const has = isOwn ? t.youHave({ codes }) : t.itHas({ codes });
  if (lastScanMs === null) return `${has} ${t.neverScanned({ codes })}`;
  const when = formatTime(lastScanMs);
  const scans =
    recentScans === 0
      ? t.notScannedLately({ codes, when })
      : t.scannedLately({ codes, scans: recentScans, when });
  return `${has} ${scans}`;
}
