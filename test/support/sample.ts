/**
 * Whether tests run that take long, or measure, and that the test command of the README leaves to CI.
 * `WAYMARK_TEST_ALL=yes` runs them.
 */
export const isCompleteRun = process.env['WAYMARK_TEST_ALL'] === 'yes';

/**
 * Returns each `step`-th of many similar cases, or all of them with `WAYMARK_TEST_ALL=yes`, as in CI: the test command
 * of the README is fast enough to be run often.
 *
 * @param first index of the first case
 */
export function sampleOf<Case>(cases: readonly Case[], step: number, first = 0): readonly Case[] {
  if (isCompleteRun) return cases;
  return cases.filter((_, at) => at % step === first % step);
}
