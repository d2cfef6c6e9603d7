import { isoTimestamp } from '../../../core/codes/qr.ts';
import { repairAdvice } from '../../../core/errors.ts';
import { dailyCsvHead, dailyCsvLine } from '../../../core/scans/daily-csv.ts';
import type { StoredRedirects } from '../../../core/storage.ts';
import { CommandError } from '../../errors/command-error.ts';

/**
 * Writes the scans of each code on each day of UTC as CSV (RFC 4180). Days without scans are left out.
 *
 * @throws CommandError when the database is damaged
 */
export async function* days({
  dailyScans,
}: Pick<StoredRedirects, 'dailyScans'>): AsyncGenerator<string> {
  if (dailyScans === null)
    throw new CommandError(`The database is damaged: its scans cannot be read. ${repairAdvice}`);
  yield dailyCsvHead;
  for await (const { dayMs, code, name, folder, scans } of dailyScans()) {
    const subject = { code, name: name ?? '', folder: folder ?? '' };
    yield dailyCsvLine(isoTimestamp(dayMs).slice(0, 10), subject, scans);
  }
}
