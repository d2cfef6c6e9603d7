import { Refused } from '../errors.ts';

/** The zone of an account that has not set one. */
export const defaultTimeZone = 'UTC';

/** Returns the zone in which the days and wall times of an account are meant. */
export function timeZoneOf({ timeZone }: { readonly timeZone: string | null }): string {
  return timeZone ?? defaultTimeZone;
}

// Region and place, as IANA names zones. Names without a region (EST5EDT, CET) and offsets are left out: an offset
// knows no change of clocks.
const zonePattern = /^(?:UTC|[A-Za-z][A-Za-z0-9_+-]{0,31}(?:\/[A-Za-z0-9_+-]{1,31}){1,2})$/i;

/** Returns the name of a time zone of the IANA database in its usual capitals. @throws Refused */
export function parseTimeZone(text: string): string {
  const zone = findTimeZone(text);
  if (zone !== null) return zone;
  throw new Refused({ kind: 'no time zone' });
}

/** Returns the name of a time zone in its usual capitals, or null when the text is none. */
export function findTimeZone(text: string): string | null {
  const zone = text.trim();
  return zonePattern.test(zone) ? findZone(zone) : null;
}

/** Returns whether a text is the name of a time zone as {@link parseTimeZone} returns it. */
export function isTimeZone(text: string): boolean {
  return zonePattern.test(text) && findZone(text) === text;
}

function findZone(name: string): string | null {
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
