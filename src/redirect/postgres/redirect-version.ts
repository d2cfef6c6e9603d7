import { changedCodes } from '../look-ups.ts';

/** Tells the copies which codes have changed, as JSON; an empty payload stands for many. */
export const changesChannel = 'waymark_redirects';
/** Returns the codes in a payload of {@link changesChannel}, or null if it names none. */
export function notifiedCodes(payload: string): readonly string[] | null {
  try {
    const codes: unknown = JSON.parse(payload);
    return Array.isArray(codes) ? codes.map(String) : null;
  } catch {
    return null;
  }
}

/** Reads the version, and the steps since an earlier one, which is the first if it is still kept. */
export const selectSteps = `
  SELECT current.version::float8, step.version::float8, step.codes
  FROM redirect_version AS current LEFT JOIN redirect_steps AS step ON step.version >= $1::bigint
  ORDER BY step.version`;

/** A row of {@link selectSteps}. */
export type StepRow = [current: number, version: number | null, codes: string | null];

/**
 * Returns the current version, and the codes whose redirect may have changed since an earlier one.
 * Null for all.
 */
export function missedSteps(
  since: number | null,
  rows: readonly StepRow[],
): { readonly version: number; readonly codes: readonly string[] | null } {
  const [first] = rows;
  if (first === undefined) throw new Error('The table redirect_version is empty.');
  const [version] = first;
  const steps = rows.flatMap(([, step, codes]) =>
    // Only `createChangeRedirects` writes the codes.
    step === null
      ? []
      : [{ version: step, codes: codes === null ? null : (JSON.parse(codes) as string[]) }],
  );
  return { version, codes: changedCodes(since, steps, version) };
}
