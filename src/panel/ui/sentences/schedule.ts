import type { ScheduledChange, ScheduleProblem } from '../../../core/codes/schedule/change.ts';
import type { ScheduleReason, Sentences } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount } from '../../../lib/numbers.ts';
import { formatDestination, formatUrl } from '../formatting.ts';

export const scheduleSentences = (_: Texts): Sentences<ScheduleReason> => ({
  'no wall time': () => 'Choose a day and a time.',
  'planned time over': () => 'That time is over.',
  'planned too far': ({ years }) => `Choose a day within ${years} years.`,
  'planned end first': () => 'It goes back before it begins. Choose a later time.',
  'planned end late': ({ period }) =>
    period === 'day'
      ? 'It begins again before it has gone back. Choose a time within 24 hours.'
      : 'It begins again before it has gone back. Choose a time within seven days.',
  'too many planned changes': ({ max }) =>
    `This code has ${max} planned changes already. Remove one of them first.`,
  'same planned time': () => 'Another change of this kind is planned for this minute.',
  'stopped code planned': () => 'This code was stopped for good.',
  'no such planned change': () => 'This planned change is gone: it was made, or removed.',
});

/** Why a planned change was not made, for its owner. */
export const scheduleProblemSentences: Readonly<Record<ScheduleProblem, string>> = {
  'no plan': 'Not done, because your plan had expired.',
  flagged: 'Not done, because the destination is flagged as dangerous.',
  'not valid': 'Not done, because the destination is a short link of this server by now.',
  blocked: 'Not done, because the operator of this server has blocked the code.',
  failed: 'Not done, because the server could not make it. Plan it again.',
};

/** Says what happens to several codes at one time: `12 codes lead to osteria.example/lunch`. */
export function changeOfManyText(
  changes: readonly [
    Pick<ScheduledChange, 'action' | 'destination'>,
    ...Pick<ScheduledChange, 'action' | 'destination'>[],
  ],
): string {
  const [{ action, destination }] = changes;
  const codes = formatCount(changes.length, 'code');
  const isSame = changes.every((one) => one.action === action && one.destination === destination);
  if (!isSame) return `${codes} change`;
  if (destination !== null) return `${codes} lead to ${formatUrl(formatDestination(destination))}`;
  return action === 'pause' ? `${codes} are paused` : `${codes} are resumed`;
}
