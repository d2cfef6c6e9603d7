import { Type } from '@sinclair/typebox';
import { type Static, type TSchema, t } from 'elysia';
import { longestDestination } from '../../core/codes/destination.ts';
import { type QrRecord as CoreQrRecord, qrStatuses } from '../../core/codes/qr.ts';
import { errorCodes } from '../../core/errors.ts';
import { limitRange } from './paging.ts';

/**
 * The wire schemas: what is validated, what is documented and what is typed, in one place. Objects
 * allow further fields, because clients must live with ones that a later version adds.
 */

const url = (description: string, example: string) =>
  t.String({ description, examples: [example] });

// Elysia's own t.Integer also takes strings and documents itself so; this is the plain one.
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

const instant = (description: string) =>
  t.String({ description, pattern: 'Z$', examples: ['2026-11-21T09:30:00.000Z'] });

const lastScan = t.Union([instant('Date of the last scan, in UTC.'), t.Null()], {
  description: 'Date of the last scan, in UTC; null when there has been none.',
});

export const QrRecord = t.Object(
  {
    code: t.String({
      description: 'Identifier of the QR: the `{code}` path segment.',
      examples: ['7h3k9m2x'],
    }),
    url: url('The short link that the QR encodes.', 'https://qr.example.com/7h3k9m2x'),
    destination: url(
      'The URL that the short link leads to, exactly as it was sent.',
      'https://example.com/menu',
    ),
    status: t.UnionEnum([...qrStatuses], {
      description:
        '`active` redirects. `paused` (by the owner) and `blocked` (by the operator) answer 410. Later versions may add values.',
      examples: ['active'],
    }),
    scans: count('Total number of scans.', 42),
    last_scan: lastScan,
    created_at: instant('Creation time, in UTC.'),
    kind: t.Literal('qr', { description: 'Kind of the object.' }),
    mode: t.Literal('dynamic', { description: 'The destination can be changed later.' }),
    has_design: t.Boolean({
      description: 'True when the QR carries a design.',
      examples: [true],
    }),
    png: url('Address of the PNG image.', 'https://qr.example.com/api/v1/qrs/7h3k9m2x.png'),
    svg: url('Address of the SVG image.', 'https://qr.example.com/api/v1/qrs/7h3k9m2x.svg'),
  },
  { $id: 'QrRecord', description: 'A dynamic QR.' },
);
export type QrRecord = Static<typeof QrRecord>;

// The two spellings of the record cannot drift apart: this line stops compiling when they do.
export const coreRecordIsWireRecord: (record: CoreQrRecord) => QrRecord = (record) => record;

export const QrStats = t.Object(
  {
    code: t.String({ description: 'Identifier of the QR.', examples: ['7h3k9m2x'] }),
    scans: count('Total number of scans.', 42),
    last_scan: lastScan,
  },
  { $id: 'QrStats', description: 'How often a QR was scanned, and when last.' },
);

export const QrList = t.Object(
  {
    data: t.Array(t.Ref(QrRecord), { description: 'Records in full, newest first.' }),
    total: count('How many QRs the account has.', 137),
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

export const ErrorRecord = t.Object(
  {
    error: t.Object({
      code: t.UnionEnum(errorCodes, { description: 'Machine-readable code.' }),
      message: t.String({ description: 'What is wrong and what would be right, for people.' }),
    }),
  },
  { $id: 'ErrorRecord', description: 'Every error has this form.' },
);

/** Body of POST and PATCH. */
export const DestinationBody = t.Object(
  {
    url: t.String({
      description: `Where the short link leads: an http or https URL of at most ${longestDestination.toLocaleString('en')} characters without spaces, control characters, user name or password, and no short link of this server.`,
      maxLength: longestDestination,
      examples: ['https://example.com/menu'],
    }),
  },
  { $id: 'DestinationBody', description: 'Where a QR leads.' },
);

/** The schemas that the document names under `components`. */
export const models = {
  QrRecord,
  QrStats,
  QrList,
  ErrorRecord,
  DestinationBody,
} as const satisfies Record<string, TSchema>;
