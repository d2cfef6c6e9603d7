import type { ScheduleProblem } from '../../core/codes/schedule/change.ts';
import type { ScheduleReason, Sentences } from '../../core/reasons.ts';

export const scheduleSentences: Sentences<ScheduleReason> = {
  'no wall time': () =>
    'This is not a time. Write it as 2026-12-24T18:00, in the time zone of the account.',
  'planned time over': ({ zone }) => `This time is over in ${zone}. Choose a later one.`,
  'planned too far': ({ years }) => `Changes can be planned up to ${years} years ahead.`,
  'planned end first': () => 'It ends before it begins. Give a later time with --until.',
  'planned end late': ({ period }) =>
    period === 'day'
      ? 'It begins again before it ends. With --until, give an end within 24 hours.'
      : 'It begins again before it ends. With --until, give an end within seven days.',
  'too many planned changes': ({ max }) =>
    `The code has ${max} planned changes already. Cancel one with --cancel.`,
  'same planned time': () =>
    'Another change of this kind is planned for this minute. Cancel it with --cancel first.',
  'stopped code planned': () => 'The code was stopped for good, so nothing can be planned.',
  'no such planned change': () =>
    'The code has no planned change with this number. "--list" shows those that it has.',
};

/** Why a planned change was not made, and what to do. */
export const scheduleProblemSentences: Readonly<Record<ScheduleProblem, string>> = {
  'no plan': 'Not done: the plan of the account had expired. Renew it and plan the change again.',
  flagged: 'Not done: the destination is flagged as dangerous. Cancel it, or plan another one.',
  'not valid': 'Not done: the destination is a short link of this server by now. Plan another one.',
  blocked: 'Not done: the code is blocked by the operator of this server.',
  failed: 'Not done: the server could not make it, and its log says why. Plan it again.',
};
