import type { LogoPlacement } from '../designs/design.ts';

/** A dynamic QR code. Its destination can change; its image cannot. */
export interface Qr {
  readonly id: number;
  readonly code: string;
  readonly accountId: number;
  /** The design it was created with. Never changes. */
  readonly designId: number;
  /** Logo placement of its images; null for centered. Never changes. */
  readonly logoPlacement: LogoPlacement | null;
  /** The short link that the image encodes. Stored in full, so that settings cannot change it. */
  readonly shortLink: string;
  /** Exactly as the client sent it. */
  readonly destination: string;
  readonly status: QrStatus;
  readonly createdAtMs: number;
  readonly scans: number;
  readonly lastScanMs: number | null;
  /** SHA-256 of the SVG at creation. */
  readonly imageHash: Uint8Array;
  /** Set when the destination was flagged after it was accepted. */
  readonly flag: Flag | null;
}

/** The immutable fields of a QR from which its images are drawn, and their hash. */
export type QrImageSource = Pick<
  Qr,
  'code' | 'designId' | 'logoPlacement' | 'shortLink' | 'imageHash'
>;

/** Why a destination was flagged after it was accepted. */
export interface Flag {
  /** See `flagSource`. */
  readonly list: string;
  readonly expression: string;
  /** When it was flagged. */
  readonly sinceMs: number;
}

/** `paused` by the owner, `blocked` by an operator. Short links of both respond with 410. */
export const qrStatuses = ['active', 'paused', 'blocked'] as const;
export type QrStatus = (typeof qrStatuses)[number];

/** A QR to insert. */
export type NewQr = Omit<Qr, 'id' | 'status' | 'scans' | 'lastScanMs' | 'flag'>;

/** Formats a timestamp for the API: ISO 8601 in UTC, ending in Z. */
export function isoTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
