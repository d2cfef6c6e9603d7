import type { LogoPlacement } from '../designs/design.ts';
import type { FlagSource } from '../reasons.ts';
import type { CodeValues } from './fields.ts';

/**
 * A dynamic QR code, or an imported link that another service printed. Its destination can change; its
 * image cannot.
 */
export interface Qr extends CodeValues {
  readonly id: number;
  /** See `parseCode`. Of an imported link: the printed path without the leading slash, case kept. */
  readonly code: string;
  readonly accountId: number;
  /** Null for an imported link. */
  readonly image: QrImage | null;
  /** The short link that the image encodes. Stored in full, so that settings cannot change it. */
  readonly shortLink: string;
  /** Exactly as the client sent it. */
  readonly destination: string;
  readonly status: QrStatus;
  /** Set when the destination was flagged after it was accepted. */
  readonly flag: Flag | null;
}

/** What the images of a QR are drawn with. Never changes. */
export interface QrImage {
  /** The design that the QR was created with. */
  readonly designId: number;
  /** Logo placement; null for centered. */
  readonly logoPlacement: LogoPlacement | null;
  /** SHA-256 of the SVG at creation. */
  readonly imageHash: Uint8Array;
}

/** The immutable fields of a QR from which its images are drawn, and their hash. */
export type QrImageSource = Pick<Qr, 'code' | 'shortLink'> & QrImage;

/** Returns what the images of a QR are drawn from; null for an imported link. */
export function imageSourceOf({ code, shortLink, image }: Qr): QrImageSource | null {
  return image && { code, shortLink, ...image };
}

/** Why a destination was flagged after it was accepted. */
export interface Flag {
  /** See `flagSource`. */
  readonly list: string;
  readonly expression: string;
  /** When it was flagged. */
  readonly sinceMs: number;
}

/** `paused` by the owner, `blocked` by an operator. Short links of both respond with 410. */
export const ownedStatuses = ['active', 'paused', 'blocked'] as const;
/**
 * `stopped` is for good: when its account was deleted, or its address forgotten.
 * Such a code belongs to nobody, has neither a destination nor an image, and its short link responds with 410.
 */
export const qrStatuses = [...ownedStatuses, 'stopped'] as const;
export type QrStatus = (typeof qrStatuses)[number];

/** A QR to insert. */
export type NewQr = Omit<Qr, 'id' | 'status' | 'isArchived' | 'scans' | 'lastScanMs' | 'flag'>;

/** Formats a timestamp for the API: ISO 8601 in UTC, ending in Z. */
export function isoTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Value of `flag.list` when a rule of the operator decided. */
export const operatorList = 'operator';

/** Value of `flag.list` when the destination is one of the published test addresses. */
export const builtInList = 'built-in';

/** Values of `flag.list` when a remote check decided. Any other value names an imported list. */
export const remoteChecks = ['webrisk', 'v5', 'http'] as const;

/** Returns what kind of check a value of `flag.list` names. */
export function flagSource(list: string): FlagSource {
  if (list === operatorList) return 'operator';
  if (list === builtInList) return 'built-in';
  return remoteChecks.some((name) => name === list) ? 'remote check' : 'imported list';
}
