import type { DocumentDecoration, TSchema } from 'elysia';
import { defaultMessage, type ErrorCode, httpStatus } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/whole-number.ts';
import { ErrorRecord } from '../api/schemas.ts';

interface Operation<Responses> {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly object[];
  /** Schema of the request body. */
  readonly body?: TSchema;
  /** Schemas of successful responses, by status. An image has the keyword `contentMediaType`. */
  readonly response: Responses;
  /** Errors beyond the ones that every operation can return. */
  readonly errors?: readonly ErrorCode[];
}

type OperationDetail = DocumentDecoration & Required<Pick<DocumentDecoration, 'responses'>>;

/** Returns the options of a route: the schemas of its responses, and its part of the OpenAPI document. */
export function operation<Responses extends Readonly<Record<number, TSchema>>>({
  parameters,
  body,
  response,
  errors = [],
  ...texts
}: Operation<Responses>): { response: Responses; detail: OperationDetail } {
  const detail = {
    ...texts,
    tags: ['QRs'],
    security: [{ apiKey: [] }],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...successes(response), ...errorResponses(errors) },
  };
  // Elysia types this as OpenAPI 3.0. The document is 3.1, whose schemas are plain JSON Schema.
  return { response, detail: detail as unknown as OperationDetail };
}

export const codeParameter = {
  name: 'code',
  in: 'path',
  required: true,
  description: 'Code of the QR. Not case-sensitive.',
  schema: { type: 'string' },
  example: '7h3k9m2x',
};

/** Describes a query parameter that is read with `wholeNumber`. */
export function wholeNumberParameter(
  name: string,
  { min, max, default: fallback }: WholeNumber,
  description: string,
) {
  return {
    name,
    in: 'query',
    description: `${description} A number outside the range becomes the nearest bound; anything but a whole number becomes the default.`,
    schema: { type: 'integer', minimum: min, maximum: max, default: fallback },
  };
}

function successes(schemas: Readonly<Record<number, TSchema>>): Record<string, object> {
  const responses: Record<string, object> = {};
  for (const [status, schema] of Object.entries(schemas)) {
    const isImage = schema['contentMediaType'] !== undefined;
    responses[status] = {
      description: schema.description,
      headers: { ...commonHeaders, ...(isImage && imageHeaders) },
      content: contentOf(schema),
    };
    if (isImage)
      responses[304] = {
        description: 'The image still matches `If-None-Match`.',
        headers: { ...commonHeaders, ETag: imageHeaders.ETag },
      };
  }
  return responses;
}

function contentOf(schema: TSchema): object {
  const reference = schema.$id === undefined ? schema : schemaRef(schema.$id);
  return { [schema['contentMediaType'] ?? 'application/json']: { schema: reference } };
}

/** Returns the reference to a named schema. */
export function schemaRef(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

const alwaysPossible: readonly ErrorCode[] = [
  'unauthorized',
  'plan_required',
  'rate_limited',
  'internal_error',
];

/** Returns the error responses by status. One status may have several codes. */
function errorResponses(errors: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy([...alwaysPossible, ...errors], httpStatus);
  const responses = [...byStatus].map(([status, codes]) => {
    const response = {
      description: codes.map((code) => `\`${code}\`: ${defaultMessage(code)}`).join('\n\n'),
      headers: Object.assign({}, commonHeaders, ...codes.map((code) => errorHeaders[code])),
      content: contentOf(ErrorRecord),
    };
    return [status, response];
  });
  return Object.fromEntries(responses);
}

const header = (type: 'string' | 'integer', description: string) => ({
  description,
  schema: { type },
});

const imageHeaders = {
  ETag: header('string', 'Identifies the bytes of the image, for `If-None-Match`.'),
  'Cache-Control': header('string', 'Clients may cache the image forever, since it never changes.'),
};

const commonHeaders = {
  'X-Request-Id': header('string', 'Identifies the request in the log of the server.'),
  'RateLimit-Limit': header('integer', 'Requests per minute for this key.'),
  'RateLimit-Remaining': header('integer', 'Requests left in the current window.'),
  'RateLimit-Reset': header('integer', 'Seconds until the oldest request leaves the window.'),
};

const errorHeaders: Partial<Record<ErrorCode, Record<string, object>>> = {
  unauthorized: { 'WWW-Authenticate': header('string', 'The authentication scheme (RFC 6750).') },
  rate_limited: { 'Retry-After': header('integer', 'Seconds until the next request is accepted.') },
  unavailable: { 'Retry-After': header('integer', 'Seconds to wait before a retry.') },
};
