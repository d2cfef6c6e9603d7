import type { Qr } from '../../core/codes/qr.ts';

const quietMs = 30 * 86_400_000;

/** Conditions on the scans of a code, by their name in the query of the list. */
export const scanFilters = {
  never: {
    title: 'Never scanned',
    matches: () => (qr: Qr) => qr.scans === 0,
  },
  quiet: {
    title: 'Not scanned for 30 days',
    // The time of the last scan of an imported link may be unknown.
    matches: (nowMs: number) => (qr: Qr) => qr.scans > 0 && (qr.lastScanMs ?? 0) < nowMs - quietMs,
  },
} as const;
export type ScanFilter = keyof typeof scanFilters;

/** Reads the condition from the query of the list, or returns null. */
export function scanFilterOf({ searchParams }: URL): ScanFilter | null {
  const scans = searchParams.get('scans');
  return scans === 'never' || scans === 'quiet' ? scans : null;
}

/** Returns the title of the list. */
export function titleOfFilter(filter: ScanFilter | null): string {
  return filter === null ? 'Codes' : scanFilters[filter].title;
}
