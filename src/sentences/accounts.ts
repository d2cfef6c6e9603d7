import type { CodeUse } from '../core/account-deletion.ts';
import type { AccountReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatCount, formatWait } from '../lib/numbers.ts';

/**
 * Why an account cannot be as asked, for settings of the server and commands.
 * The panel has forms for some of it.
 */
export const accountSentences = (_: Texts): Sentences<AccountReason> => ({
  'no e-mail address': () =>
    'This is not an e-mail address. Write it as name@example.com. In a domain, letters other than a to z are written in its form with xn--.',
  'same e-mail address': () => 'This is the address of the account already.',
  'e-mail address taken': ({ email }) => `There is already an account ${email}.`,
  'no plan end': () => 'This is not a date. Write it as 2027-01-31, or "never".',
  'no time zone': () =>
    'This is not a time zone. Write the region and a large city, such as Europe/Zurich or America/New_York, or UTC.',
  'only operator': ({ email }) =>
    `${email} is the only operator of this server. Make another account an operator first.`,
  'no recipient of the codes': () =>
    'The account to give the codes to does not exist, or is the one to delete. Name another one.',
  'account gone': ({ email }) => `There is no account ${email} any more.`,
  'no right': () => 'You may not change this, or not any more. Nothing was changed.',
  'invited owner': ({ email }) => `${email} is the owner of this account. Invite somebody else.`,
  'invited member': ({ email }) => `${email} can enter this account already.`,
  'invitation of somebody else': () =>
    'This invitation is for another e-mail address. Sign in with that address to accept it.',
  'too many people': ({ max }) =>
    `More than ${max} people cannot enter an account. Remove somebody first.`,
  'too many invitations': ({ max }) => `There are ${max} invitations already. Take one back first.`,
  'too many accounts': ({ max }) =>
    `You can enter ${max} accounts already. Leave one of them first.`,
  'password too short': ({ minLength }) =>
    `The password must have at least ${formatCount(minLength, 'character')}.`,
  'password too long': ({ maxLength }) =>
    `The password must have at most ${formatCount(maxLength, 'character')}.`,
  'guessable password': () =>
    'This password is one of the first that attackers try. Choose another, such as a few unrelated words.',
  'same password': () => 'The new password is the same as the current one.',
  'wrong current password': () => 'The current password is wrong.',
  // Also said of one that was used before.
  'wrong second factor': () => 'This code is wrong, or was used already. Wait for the next one.',
  'unreadable second factor': () =>
    'The server cannot read your second factor, because its key is missing. Use a recovery code, or ask an operator.',
  'too many attempts': ({ seconds }) => `Too many attempts. Wait ${formatWait(seconds)}.`,
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
