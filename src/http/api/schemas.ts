import { Type } from '@sinclair/typebox';
import { type Static, type TSchema, t } from 'elysia';
import { isoTimestamp, ownedStatuses, type Qr } from '../../core/codes/qr.ts';
import { maxDestinationLength } from '../../core/codes/urls/destination.ts';
import { errorCodes } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/numbers.ts';
import { formatNumber } from '../../lib/numbers.ts';

// The wire schemas: documentation and types in one place. Objects allow further fields, so that a later version can add
// some.

export const limitRange: WholeNumber = { default: 50, min: 1, max: 100 };
// Beyond any list, within SQLite's integers.
export const offsetRange: WholeNumber = { default: 0, min: 0, max: 1_000_000_000 };

const url = (description: string, example: string) =>
  t.String({ description, format: 'uri', examples: [example] });

// Clients of today must accept the values of later versions (docs/versioning.md).
const openEnum = <Value extends string>(
  values: readonly [Value, ...Value[]],
  description: string,
) => t.Union([t.UnionEnum([...values]), t.String()], { description });

// Elysia's t.Integer also accepts strings and documents itself as a string or integer.
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const instant = (description: string) =>
  t.String({
    description,
    format: 'date-time',
    pattern: 'Z$',
    examples: ['2026-11-21T09:30:00.000Z'],
  });

const lastScan = t.Union([instant('Date of the last scan, in UTC.'), t.Null()], {
  description: 'Date of the last scan, in UTC; null if there is none.',
});

export const QrRecord = t.Object(
  {
    code: t.String({
      description: 'Identifier of the QR: the `{code}` path segment.',
      examples: ['7h3k9m2x'],
    }),
    url: url('The short link that the QR encodes.', 'https://qr.example.com/7h3k9m2x'),
    // Not `uri`: what the URL standard accepts beyond RFC 3986, such as `ü` and `|`, is kept.
    destination: t.String({
      description: 'The URL that the short link redirects to, exactly as it was sent.',
      examples: ['https://example.com/menu'],
    }),
    status: openEnum(
      ownedStatuses,
      '`active` redirects. `paused` (by the owner) and `blocked` (by the operator) return 410. Later versions may add values.',
    ),
    scans: count('Total number of scans.', 42),
    last_scan: lastScan,
    created_at: instant('Creation time, in UTC.'),
    kind: openEnum(
      ['qr', 'link'],
      'Kind of the object: `qr`, or `link` for an imported link that another service printed. Later versions may add values.',
    ),
    mode: t.Literal('dynamic', { description: 'The destination can be changed later.' }),
    has_design: t.Boolean({
      description:
        'True when the QR carries a design. False for an imported link, of which there is no image.',
      examples: [true],
    }),
    png: url('Address of the PNG image.', 'https://qr.example.com/api/v1/qrs/7h3k9m2x.png'),
    svg: url('Address of the SVG image.', 'https://qr.example.com/api/v1/qrs/7h3k9m2x.svg'),
  },
  { $id: 'QrRecord', description: 'A dynamic QR.' },
);
export type QrRecord = Static<typeof QrRecord>;

/** Returns the address of a QR's record. */
export function recordUrl({ code }: Pick<Qr, 'code'>, baseUrl: string): string {
  return `${baseUrl}/qrs/${encodeURIComponent(code)}`;
}

/**
 * Converts a QR to the record of the API (SPEC, "QR record").
 *
 * @param baseUrl base address of the API, without trailing slash (SPEC: `{base_url}`)
 */
export function qrRecord(qr: Qr, baseUrl: string): QrRecord {
  const address = recordUrl(qr, baseUrl);
  return {
    code: qr.code,
    url: qr.shortLink,
    destination: qr.destination,
    status: qr.status,
    scans: qr.scans,
    last_scan: qr.lastScanMs === null ? null : isoTimestamp(qr.lastScanMs),
    created_at: isoTimestamp(qr.createdAtMs),
    kind: qr.image === null ? 'link' : 'qr',
    mode: 'dynamic',
    has_design: qr.image !== null,
    png: `${address}.png`,
    svg: `${address}.svg`,
  };
}

export const QrStats = t.Object(
  {
    code: t.String({ description: 'Identifier of the QR.', examples: ['7h3k9m2x'] }),
    scans: count('Total number of scans.', 42),
    last_scan: lastScan,
  },
  { $id: 'QrStats', description: 'Scan count and last scan of a QR.' },
);
export type QrStats = Static<typeof QrStats>;

export const QrList = t.Object(
  {
    data: t.Array(t.Ref(QrRecord), { description: 'Records in full, newest first.' }),
    total: count('Number of QRs of the account.', 137),
    limit: Type.Integer({
      minimum: limitRange.min,
      maximum: limitRange.max,
      description: 'The `limit` that was used.',
      examples: [limitRange.default],
    }),
    offset: count('The `offset` that was used.', 0),
  },
  { $id: 'QrList', description: "A page of the account's QRs." },
);
export type QrList = Static<typeof QrList>;

export const ErrorRecord = t.Object(
  {
    error: t.Object({
      code: openEnum(errorCodes, 'Machine-readable code. Later versions may add values.'),
      message: t.String({ description: 'Description of the problem and what to do, for people.' }),
    }),
  },
  { $id: 'ErrorRecord', description: 'Every error has this form.' },
);

/** Body of POST and PATCH. */
export const DestinationBody = t.Object(
  {
    url: t.String({
      description: `Destination of the short link: an http or https URL of at most ${formatNumber(maxDestinationLength)} characters, without spaces, control characters, backslashes, user name or password. Its host is one that DNS can hold, in plain spelling, its port is not 0, and it has no marks that change the direction of text. Not a short link of this server.`,
      maxLength: maxDestinationLength,
      examples: ['https://example.com/menu'],
    }),
  },
  { $id: 'DestinationBody', description: 'Destination of a QR.' },
);

const image = (contentMediaType: 'image/png' | 'image/svg+xml') =>
  t.String({
    contentMediaType,
    // Generators of clients know this keyword of OpenAPI 3.0, and type the image as a Blob.
    format: 'binary',
    description: 'The image. Its bytes never change.',
  });

export const QrPng = image('image/png');
export const QrSvg = image('image/svg+xml');

/** The schemas under `components` of the OpenAPI document. */
export const models = {
  QrRecord,
  QrStats,
  QrList,
  ErrorRecord,
  DestinationBody,
} as const satisfies Record<string, TSchema>;
