import type { DocumentDecoration, TSchema } from 'elysia';
import { defaultMessage, type ErrorCode, httpStatus } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/whole-number.ts';

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
  operationId,
  summary,
  description,
  parameters,
  body,
  response,
  errors = [],
}: Operation<Responses>): { response: Responses; detail: OperationDetail } {
  const detail = {
    operationId,
    summary,
    description,
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

/** Returns the error responses by status. One status may have several codes, each with an example. */
function errorResponses(errors: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy([...alwaysPossible, ...errors], httpStatus);
  const responses = [...byStatus].map(([status, codes]) => {
    const examples = codes.map((code) => [
      code,
      { value: { error: { code, message: defaultMessage(code) } } },
    ]);
    const response = {
      description: codes.map((code) => `\`${code}\`: ${defaultMessage(code)}`).join('\n\n'),
      headers: Object.assign({}, commonHeaders, ...codes.map((code) => errorHeaders[code])),
      content: {
        'application/json': {
          schema: schemaRef('ErrorRecord'),
          examples: Object.fromEntries(examples),
        },
      },
    };
    return [status, response];
  });
  return Object.fromEntries(responses);
}

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string' },
  example,
});

const integer = (description: string, minimum: number, example: number) => ({
  description,
  schema: { type: 'integer', minimum },
  example,
});

const imageHeaders = {
  ETag: text(
    'Identifies the bytes of the image, for `If-None-Match`.',
    '"2b0fcb7a3c1e4d5f8a9b0c1d2e3f4a5b-png1024"',
  ),
  'Cache-Control': text(
    'Clients may cache the image forever, since it never changes.',
    'private, max-age=31536000, immutable',
  ),
};

const commonHeaders = {
  'X-Request-Id': text(
    'Identifies the request. If it failed, the server log contains this id.',
    '5f0c2b7a9d3e4861',
  ),
  'RateLimit-Limit': integer('Requests per minute for this key.', 1, 60),
  'RateLimit-Remaining': integer('Requests left in the current window.', 0, 59),
  'RateLimit-Reset': integer('Seconds until the oldest request leaves the sliding window.', 1, 42),
};

const errorHeaders: Partial<Record<ErrorCode, Record<string, object>>> = {
  unauthorized: { 'WWW-Authenticate': text('The authentication scheme (RFC 6750).', 'Bearer') },
  rate_limited: { 'Retry-After': integer('Seconds until the next request is accepted.', 1, 42) },
  unavailable: { 'Retry-After': integer('Seconds to wait before a retry.', 1, 42) },
};
