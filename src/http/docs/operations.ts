import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/whole-number.ts';
import { limitRange, type models, offsetRange } from '../api/schemas.ts';

type ModelName = keyof typeof models;

/** One operation of the API, as documented. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch';
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  /** Schema of the request body. */
  readonly body?: ModelName;
  readonly status?: 201;
  /** Description of the successful response. */
  readonly success: string;
  /** Schema of the successful response, or the media type of an image. */
  readonly content: ModelName | 'image/png' | 'image/svg+xml';
  /** Errors beyond the ones that every operation can return. */
  readonly errors?: readonly ErrorCode[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly example?: string;
}

const code: Parameter = {
  name: 'code',
  in: 'path',
  required: true,
  description: 'Code of the QR. Not case-sensitive.',
  schema: { type: 'string' },
  example: '7h3k9m2x',
};

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a retry safe: within 24 hours, the same API key, header and body return the first result instead of creating a second QR.',
  schema: { type: 'string' },
  example: '5f0c2f0e-1c55-4c0c-9a58-0d8a7d5c7f11',
};

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier download. If the image is the same, the response is 304.',
  schema: { type: 'string' },
};

function wholeNumber(name: string, range: WholeNumber, description: string): Parameter {
  const { min, max } = range;
  return {
    name,
    in: 'query',
    description: `${description} A number outside the range becomes the nearest bound; anything but a whole number becomes the default.`,
    schema: { type: 'integer', minimum: min, maximum: max, default: range.default },
  };
}

/** The seven operations of the contract (SPEC, "Endpoints"). */
export const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/api/v1/qrs',
    id: 'createQr',
    summary: 'Create a QR',
    description:
      "Creates a dynamic QR in the account's default design. The QR is rendered and read back first. If a phone could not read it, nothing is created.",
    parameters: [idempotencyKey],
    body: 'DestinationBody',
    status: 201,
    success: 'The QR was created.',
    content: 'QrRecord',
    errors: ['invalid_json', 'invalid_url', 'unsafe_url', 'design_unreadable', 'unavailable'],
  },
  {
    method: 'get',
    path: '/api/v1/qrs',
    id: 'listQrs',
    summary: 'List your QRs',
    description: 'Returns the QRs of the account, newest first.',
    parameters: [
      wholeNumber('limit', limitRange, 'Maximum number of records to return.'),
      wholeNumber('offset', offsetRange, 'Number of records to skip.'),
    ],
    success: 'A page of the list, with the `limit` and `offset` that were used.',
    content: 'QrList',
  },
  {
    method: 'get',
    path: '/api/v1/qrs/{code}',
    id: 'getQr',
    summary: 'Get a QR',
    description: 'Returns the record of one QR.',
    parameters: [code],
    success: 'The QR.',
    content: 'QrRecord',
    errors: ['not_found'],
  },
  {
    method: 'patch',
    path: '/api/v1/qrs/{code}',
    id: 'updateQr',
    summary: 'Change the destination of a QR',
    description:
      'Replaces the destination. Code, short link and images stay the same, so printed codes keep working.',
    parameters: [code],
    body: 'DestinationBody',
    success: 'The updated QR.',
    content: 'QrRecord',
    errors: ['not_found', 'invalid_json', 'invalid_url', 'unsafe_url', 'unavailable'],
  },
  {
    method: 'get',
    path: '/api/v1/qrs/{code}/stats',
    id: 'getQrStats',
    summary: 'Get the scan count of a QR',
    description:
      'Returns the total number of scans and the date of the last one. Link previews, prefetches, crawlers and HEAD requests are not counted.',
    parameters: [code],
    success: 'The scan count.',
    content: 'QrStats',
    errors: ['not_found'],
  },
  {
    method: 'get',
    path: '/api/v1/qrs/{code}.png',
    id: 'getQrPng',
    summary: 'Download the PNG',
    description:
      'Returns the QR in its design at error correction level H. The image is square, with every module on whole pixels.',
    parameters: [
      code,
      wholeNumber('size', imageWidthPxRange, 'Width and height in pixels.'),
      ifNoneMatch,
    ],
    success: 'The image. Its bytes never change.',
    content: 'image/png',
    errors: ['not_found', 'unavailable'],
  },
  {
    method: 'get',
    path: '/api/v1/qrs/{code}.svg',
    id: 'getQrSvg',
    summary: 'Download the SVG',
    description:
      'Returns the QR in its design at error correction level H, with the logo embedded.',
    parameters: [code, ifNoneMatch],
    success: 'The image. Its bytes never change.',
    content: 'image/svg+xml',
    errors: ['not_found', 'unavailable'],
  },
];
