import { type AnyElysia, Elysia, NotFoundError } from 'elysia';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
import { ApiError } from '../../core/errors.ts';
import type { Acting, Clock } from '../../core/ports.ts';
import { wholeNumber } from '../../lib/numbers.ts';
import { jsonResponse } from '../app-responses.ts';
import { parseJsonObject, readBody } from './body.ts';
import { codeParameter, operation, wholeNumberParameter } from './operation.ts';
import {
  DestinationBody,
  limitRange,
  models,
  offsetRange,
  QrList,
  QrRecord,
  QrStats,
  qrRecord,
  recordUrl,
} from './schemas.ts';

/** The router of the API. */
export type ApiRoutes = AnyElysia;

/**
 * Creates the routes of the JSON operations, with their part of the OpenAPI document.
 * Errors reject `fetch`.
 */
export function createRoutes(
  { qrs, clock, baseUrl }: { qrs: Qrs; clock: Clock; baseUrl: string },
  actingOf: (request: Request) => Acting,
): ApiRoutes {
  const qrOf = (request: Request, code: string | undefined) =>
    qrs.get(actingOf(request).accountId, parseCodeOrPath(code));

  return new Elysia({ strictPath: true, normalize: false })
    .onError(({ error }) => {
      throw error instanceof NotFoundError
        ? new ApiError('not_found', 'There is no such path in this API.')
        : error;
    })
    .mapResponse(({ request, responseValue }) =>
      responseValue instanceof Response ? responseValue : jsonResponse(request, responseValue),
    )
    .model(models)
    .post(
      '/api/v1/qrs',
      async ({ request, set }) => {
        const acting = actingOf(request);
        const { url } = parseJsonObject(await readBody(request));
        const header = request.headers.get('idempotency-key');
        const retry =
          header && typeof url === 'string'
            ? idempotencyKey(`account ${acting.accountId}`, header, url, clock.nowMs())
            : null;
        const { qr, isReplayed } = await qrs.create(acting, url, retry, {
          work: { signal: request.signal, isUrgent: true },
        });
        set.status = 201;
        set.headers['location'] = recordUrl(qr, baseUrl);
        if (isReplayed) set.headers['idempotency-replayed'] = 'true';
        return qrRecord(qr, baseUrl);
      },
      operation({
        operationId: 'createQr',
        summary: 'Create a QR',
        description:
          "Creates a dynamic QR in the account's default design. The QR is rendered and read back first. If a phone could not read it, nothing is created.",
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description:
              'Makes a retry safe: within 24 hours, the same account, header and `url` return the first result instead of creating a second QR, with the header `Idempotency-Replayed: true`, also after the API key was replaced. Use a new value, such as a UUID, for each QR.',
            schema: { type: 'string' },
          },
        ],
        body: DestinationBody,
        response: { 201: QrRecord },
        errors: ['invalid_json', 'invalid_url', 'unsafe_url', 'design_unreadable'],
      }),
    )
    .get(
      '/api/v1/qrs',
      async ({ request }) => {
        const { search } = new URL(request.url);
        const limit = wholeNumber(search, 'limit', limitRange);
        const offset = wholeNumber(search, 'offset', offsetRange);
        const page = await qrs.list(actingOf(request).accountId, limit, offset);
        const data = page.qrs.map((qr) => qrRecord(qr, baseUrl));
        const list: QrList = { data, total: page.total, limit, offset };
        return jsonResponse(request, list, pageLinks(`${baseUrl}/qrs`, page.total, limit, offset));
      },
      operation({
        operationId: 'listQrs',
        summary: 'List your QRs',
        description:
          'Returns the QRs of the account, newest first. The header `Link` has the addresses of the next and the previous page, if there are any (RFC 8288). Codes that are created while you read the pages move the others on: some may come twice, but none is skipped, because codes are never deleted.',
        parameters: [
          wholeNumberParameter('limit', limitRange, 'Maximum number of records to return.'),
          wholeNumberParameter('offset', offsetRange, 'Number of records to skip.'),
        ],
        response: { 200: QrList },
      }),
    )
    .get(
      '/api/v1/qrs/:code',
      async ({ request, params }) => qrRecord(await qrOf(request, params.code), baseUrl),
      operation({
        operationId: 'getQr',
        summary: 'Get a QR',
        description: 'Returns the record of one QR.',
        parameters: [codeParameter],
        response: { 200: QrRecord },
        errors: ['not_found'],
      }),
    )
    .patch(
      '/api/v1/qrs/:code',
      async ({ request, params }) => {
        const url = async () => parseJsonObject(await readBody(request))['url'];
        const code = parseCodeOrPath(params.code);
        return qrRecord(await qrs.changeDestination(actingOf(request), code, url), baseUrl);
      },
      operation({
        operationId: 'updateQr',
        summary: 'Change the destination of a QR',
        description:
          'Replaces the destination. Code, short link and images stay the same, so printed codes keep working.',
        parameters: [codeParameter],
        body: DestinationBody,
        response: { 200: QrRecord },
        errors: ['not_found', 'invalid_json', 'invalid_url', 'unsafe_url'],
      }),
    )
    .get(
      '/api/v1/qrs/:code/stats',
      async ({ request, params }): Promise<QrStats> => {
        const { code, scans, lastScanMs } = await qrOf(request, params.code);
        return { code, scans, last_scan: lastScanMs === null ? null : isoTimestamp(lastScanMs) };
      },
      operation({
        operationId: 'getQrStats',
        summary: 'Get the scan count of a QR',
        description:
          'Returns the total number of scans and the date of the last one. Link previews, prefetches, monitors, crawlers and HEAD requests are not counted.',
        parameters: [codeParameter],
        response: { 200: QrStats },
        errors: ['not_found'],
      }),
    )
    .all('/api/v1/qrs', rejectMethod('GET, HEAD, POST'), undocumented)
    .all('/api/v1/qrs/:code', rejectMethod('GET, HEAD, PATCH'), undocumented)
    .all('/api/v1/qrs/:code/stats', rejectMethod('GET, HEAD'), undocumented);
}

/** Returns the `Link` header with the pages before and after one (RFC 8288), unless there are none. */
function pageLinks(
  url: string,
  total: number,
  limit: number,
  offset: number,
): Record<string, string> {
  const link = (relation: string, start: number) =>
    `<${url}?limit=${limit}&offset=${start}>; rel="${relation}"`;
  const links = [
    ...(offset > 0 ? [link('prev', Math.max(0, Math.min(offset, total) - limit))] : []),
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
  ];
  return links.length === 0 ? {} : { Link: links.join(', ') };
}

const undocumented = { detail: { hide: true } };

/** Creates the handler of all other methods of a path (SPEC rule 7). */
function rejectMethod(allowed: string) {
  return () => {
    throw methodNotAllowed(allowed);
  };
}

/** @param allowed the methods of the path, as in the `Allow` header (RFC 9110, 10.2.1) */
export function methodNotAllowed(allowed: string): ApiError {
  const message = `This method is not allowed here. Allowed: ${allowed}.`;
  return new ApiError('method_not_allowed', message, { Allow: allowed });
}
