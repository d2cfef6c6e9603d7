import { isoTimestamp, type Qr } from '../../core/codes/qr.ts';
import { formatCount } from '../../lib/numbers.ts';

/** Converts a code for `--json`. */
export function codeJson(qr: Qr) {
  return {
    code: qr.code,
    url: qr.shortLink,
    destination: qr.destination,
    name: qr.name,
    status: qr.status,
    scans: qr.scans,
    last_scan: qr.lastScanMs === null ? null : isoTimestamp(qr.lastScanMs),
    created_at: isoTimestamp(qr.createdAtMs),
  };
}

/** Describes a code in one line. */
export function codeLine({ code, name, destination, status, scans }: Qr): string {
  const parts = [code, name ?? '', destination, formatCount(scans, 'scan')];
  if (status !== 'active') parts.push(status);
  return parts.filter((part) => part !== '').join('  ');
}

/** Describes a code in several lines. */
export function codeText(qr: Qr): string {
  const { lastScanMs } = qr;
  const last = lastScanMs === null ? '' : `, the last on ${isoTimestamp(lastScanMs)}`;
  const lines = [
    ['Code', qr.code],
    ['Name', qr.name],
    ['Short link', qr.shortLink],
    ['Destination', qr.destination],
    ['Status', qr.status],
    ['Scans', `${qr.scans}${last}`],
    ['Created', isoTimestamp(qr.createdAtMs)],
    // Lines of a note are indented like its first one.
    ['Note', qr.note?.replaceAll('\n', `\n${' '.repeat(columnWidth)}`) ?? null],
  ] as const;
  return lines
    .filter(([, value]) => value !== null)
    .map(([label, value]) => `${`${label}:`.padEnd(columnWidth)}${value}`)
    .join('\n');
}

const columnWidth = 'Short link:  '.length;
