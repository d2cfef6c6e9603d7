import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { limitRange, offsetRange } from '../api/paging.ts';
import {
  binary,
  codeParameter,
  imageHeaders,
  json,
  operation,
  wholeNumberParameter,
} from './operation.ts';

/** The seven operations of the contract (SPEC, "Endpoints") as the OpenAPI document tells them. */

export const createQr = operation({
  id: 'createQr',
  summary: 'Create a QR',
  description:
    'Creates a dynamic QR in the default design of the account. The QR is rendered and read back first; if a phone could not read it, nothing is created.',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Makes a retry safe: the same API key, header and body within 24 hours are answered with the first result instead of a second QR.',
      schema: { type: 'string' },
      example: '5f0c2f0e-1c55-4c0c-9a58-0d8a7d5c7f11',
    },
  ],
  body: 'DestinationBody',
  success: { status: 201, description: 'The QR was created.', content: json('QrRecord') },
  errors: ['invalid_json', 'invalid_url', 'unsafe_url', 'design_unreadable', 'unavailable'],
});

export const listQrs = operation({
  id: 'listQrs',
  summary: 'List your QRs',
  description: 'The QRs of the account, newest first.',
  parameters: [
    wholeNumberParameter('limit', limitRange, 'How many records to return at most.'),
    wholeNumberParameter('offset', offsetRange, 'How many records to skip.'),
  ],
  success: {
    status: 200,
    description: 'A page of the list. It says which `limit` and `offset` were used.',
    content: json('QrList'),
  },
});

export const getQr = operation({
  id: 'getQr',
  summary: 'Get a QR',
  description: 'The record of one QR.',
  parameters: [codeParameter],
  success: { status: 200, description: 'The QR.', content: json('QrRecord') },
  errors: ['not_found'],
});

export const updateQr = operation({
  id: 'updateQr',
  summary: 'Change where a QR leads',
  description:
    'Replaces the destination. Code, short link and images stay as they are, and so does what is printed.',
  parameters: [codeParameter],
  body: 'DestinationBody',
  success: { status: 200, description: 'The QR as it is now.', content: json('QrRecord') },
  errors: ['not_found', 'invalid_json', 'invalid_url', 'unsafe_url', 'unavailable'],
});

export const getQrStats = operation({
  id: 'getQrStats',
  summary: 'Read the scan count of a QR',
  description:
    'Total scans and the date of the last one. Link previews, prefetches, crawlers and HEAD requests are not counted.',
  parameters: [codeParameter],
  success: { status: 200, description: 'The count.', content: json('QrStats') },
  errors: ['not_found'],
});

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'An `ETag` of an earlier download: answered 304 when the image is the same.',
  schema: { type: 'string' },
} as const;

export const getQrPng = operation({
  id: 'getQrPng',
  summary: 'Download the PNG',
  description:
    'The QR in its design at error correction level H, square, with every module on whole pixels.',
  parameters: [
    codeParameter,
    wholeNumberParameter('size', imageWidthPxRange, 'Width and height in pixels.'),
    ifNoneMatch,
  ],
  success: {
    status: 200,
    description: 'The image: the same bytes for as long as the QR lives.',
    content: binary('image/png'),
    headers: imageHeaders,
    conditional: true,
  },
  errors: ['not_found', 'unavailable'],
});

export const getQrSvg = operation({
  id: 'getQrSvg',
  summary: 'Download the SVG',
  description: 'The QR in its design at error correction level H, with the logo embedded.',
  parameters: [codeParameter, ifNoneMatch],
  success: {
    status: 200,
    description: 'The image: the same bytes for as long as the QR lives.',
    content: binary('image/svg+xml'),
    headers: imageHeaders,
    conditional: true,
  },
  errors: ['not_found', 'unavailable'],
});
