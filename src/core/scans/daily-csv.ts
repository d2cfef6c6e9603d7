import { csvLine } from '../../lib/csv.ts';
import { type DayRange, type HourSums, scansOn } from './days.ts';

/** Whose scans a line of the table by day has: of a code, or of all codes of a folder. */
export interface DailySubject {
  /** Empty for a folder. */
  readonly code: string;
  readonly name: string;
  readonly folder: string;
}

/** The head of a table of scans by day. */
export const dailyCsvHead = csvLine(['day', 'code', 'name', 'folder', 'scans']);

/** Writes a line: the scans on a day. */
export function dailyCsvLine(
  day: string,
  { code, name, folder }: DailySubject,
  scans: number,
): string {
  return csvLine([day, code, name, folder, String(scans)]);
}

/** Writes the scans on each of some days, those without scans included. */
export function* dailyCsvLines(
  subject: DailySubject,
  { first, last }: DayRange,
  sums: HourSums,
  zone: string,
): Generator<string> {
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    const scans = scansOn({ first: day, last: day }, sums, zone);
    yield dailyCsvLine(String(day), subject, scans);
  }
}
