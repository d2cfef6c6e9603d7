import type { LogoPlacement } from '../designs/design.ts';

/** A dynamic QR: a mark whose image never changes and whose destination can. */
export interface Qr {
  readonly id: number;
  readonly code: string;
  readonly accountId: number;
  /** The design it was created with; never changes. */
  readonly designId: number;
  /** How its images draw the logo, null for as the design sets it; never changes. */
  readonly logoPlacement: LogoPlacement | null;
  /** The short link that the image encodes, stored whole so that no later setting can alter it. */
  readonly shortLink: string;
  /** Exactly as the client sent it. */
  readonly destination: string;
  readonly status: QrStatus;
  readonly createdAtMs: number;
  readonly scans: number;
  readonly lastScanMs: number | null;
  /** SHA-256 of the SVG at creation, by which every later renderer is held to the same picture. */
  readonly imageHash: Uint8Array;
  /** Set when the destination came onto a list after it was accepted. */
  readonly flag: Flag | null;
}

/** What of a QR never changes: whose it is, and what is printed. */
export type QrImageSource = Pick<
  Qr,
  'id' | 'code' | 'accountId' | 'designId' | 'logoPlacement' | 'shortLink' | 'imageHash'
>;

/** Why a destination that was once allowed is flagged now. */
export interface Flag {
  /** An imported list, or who else it was; see `flaggedBy`. */
  readonly list: string;
  readonly expression: string;
  /** When it was found. */
  readonly sinceMs: number;
}

/** `paused` by its owner, `blocked` by the operator: the short link of both answers 410. */
export const qrStatuses = ['active', 'paused', 'blocked'] as const;
export type QrStatus = (typeof qrStatuses)[number];

/** A QR that is about to be stored. */
export type NewQr = Omit<Qr, 'id' | 'status' | 'scans' | 'lastScanMs' | 'flag'>;

/** The QR record of the contract (SPEC, "QR record"), with the names it has on the wire. */
export interface QrRecord {
  code: string;
  url: string;
  destination: string;
  status: QrStatus;
  scans: number;
  last_scan: string | null;
  created_at: string;
  kind: 'qr';
  mode: 'dynamic';
  has_design: boolean;
  png: string;
  svg: string;
}

/**
 * The only bridge from a stored QR to the wire.
 *
 * @param baseUrl base address of the API, without a trailing slash (SPEC: `{base_url}`)
 */
export function qrRecord(qr: Qr, baseUrl: string): QrRecord {
  return {
    code: qr.code,
    url: qr.shortLink,
    destination: qr.destination,
    status: qr.status,
    scans: qr.scans,
    last_scan: qr.lastScanMs === null ? null : isoTimestamp(qr.lastScanMs),
    created_at: isoTimestamp(qr.createdAtMs),
    kind: 'qr',
    mode: 'dynamic',
    has_design: true,
    png: `${baseUrl}/qrs/${qr.code}.png`,
    svg: `${baseUrl}/qrs/${qr.code}.svg`,
  };
}

/** An instant as the contract writes it: ISO 8601 in UTC, ending in Z. */
export function isoTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
