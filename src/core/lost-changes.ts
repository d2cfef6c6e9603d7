import type { HealthCondition } from './health.ts';

/** What a database has lost that went back to an older state, as far as the copies know. */
export interface LostChanges {
  /** When what was lost began. */
  readonly sinceMs: number;
  /** When the database was seen in the newer state for the last time. */
  readonly untilMs: number;
}

/** Returns a sentence for operators. */
export function lostChangesText({ sinceMs, untilMs }: LostChanges): string {
  const seconds = Math.max(1, Math.round((untilMs - sinceMs) / 1000));
  const since = new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ');
  return `PostgreSQL went back by about ${seconds} s: edits, codes and scans since ${since} UTC may be lost`;
}

export const lostChangesAdvice =
  'It is an older copy than before, such as a replica that was behind. When you have looked at what is missing, run ' +
  '"waymark doctor --accept-loss".';

/** Returns the condition that a database went back, until an operator has accepted that. */
export function wentBackCondition(lost: () => LostChanges | null): HealthCondition {
  return {
    name: 'database_went_back',
    severity: 'warning',
    check: () => {
      const found = lost();
      return found === null ? [] : [`${lostChangesText(found)}. ${lostChangesAdvice}`];
    },
  };
}
