import type { DocumentDecoration, TSchema } from 'elysia';
import { defaultMessageOf, type ErrorCode, statusOf } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/whole-number.ts';
import type { models } from '../api/schemas.ts';

type ModelName = keyof typeof models;

/** What one operation of the API is to a reader of the OpenAPI document (version 3.1). */
interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: ModelName;
  readonly success: Success;
  /** Refusals beyond the ones that every operation can meet. */
  readonly errors?: readonly ErrorCode[];
}

interface Success {
  readonly status: 200 | 201;
  readonly description: string;
  readonly content: Record<string, { schema: object }>;
  readonly headers?: Record<string, object>;
  /** Whether `If-None-Match` can be answered 304. */
  readonly conditional?: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly example?: string | number;
}

const alwaysPossible: readonly ErrorCode[] = [
  'unauthorized',
  'plan_required',
  'rate_limited',
  'internal_error',
];

/** The `detail` of a route: its part of the OpenAPI document. */
export function operation({ id, summary, description, ...rest }: Operation): DocumentDecoration {
  const detail = {
    operationId: id,
    summary,
    description,
    tags: ['QRs'],
    security: [{ apiKey: [] }],
    ...(rest.parameters && { parameters: [...rest.parameters] }),
    ...(rest.body && {
      requestBody: { required: true, content: json(rest.body) },
    }),
    responses: {
      [rest.success.status]: {
        description: rest.success.description,
        headers: { ...commonHeaders, ...rest.success.headers },
        content: rest.success.content,
      },
      ...(rest.success.conditional && {
        304: {
          description: 'The image is the one that `If-None-Match` names.',
          headers: { ...commonHeaders, ETag: etagHeader },
        },
      }),
      ...errorResponses([...alwaysPossible, ...(rest.errors ?? [])]),
    },
  };
  // Elysia types this by OpenAPI 3.0; the document is 3.1, whose schemas are plain JSON Schema.
  return detail as unknown as DocumentDecoration;
}

/** A JSON body that follows a named schema. */
export function json(model: ModelName): Record<string, { schema: object }> {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${model}` } } };
}

/** An image body. */
export function binary(type: string): Record<string, { schema: object }> {
  return { [type]: { schema: { type: 'string', format: 'binary' } } };
}

export const codeParameter: Parameter = {
  name: 'code',
  in: 'path',
  required: true,
  description: 'Code of the QR. Upper and lower case are the same.',
  schema: { type: 'string' },
  example: '7h3k9m2x',
};

/** A whole number in the query: what is outside its range is brought to the nearest bound. */
export function wholeNumberParameter(
  name: string,
  range: WholeNumber,
  description: string,
): Parameter {
  return {
    name,
    in: 'query',
    description: `${description} A number outside the range is brought to the nearest bound, anything else that is not a whole number to the default.`,
    schema: {
      type: 'integer',
      minimum: range.min,
      maximum: range.max,
      default: range.default,
    } satisfies Partial<TSchema>,
  };
}

const etagHeader = {
  description: 'Names these very bytes, for `If-None-Match`. They never change.',
  schema: { type: 'string' },
  example: '"2b0fcb7a3c1e4d5f8a9b0c1d2e3f4a5b-png1024"',
};

export const imageHeaders = {
  ETag: etagHeader,
  'Cache-Control': {
    description: 'The image may be kept by the client for ever: it never changes.',
    schema: { type: 'string' },
    example: 'private, max-age=31536000, immutable',
  },
};

const seconds = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 1 },
  example: 42,
});

/** Headers of every answer of the API. */
const commonHeaders = {
  'X-Request-Id': {
    description: 'Names this request. The log of the server knows it, if anything went wrong.',
    schema: { type: 'string' },
    example: '5f0c2b7a9d3e4861',
  },
  'RateLimit-Limit': {
    description: 'Requests per minute that the key may make.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
  'RateLimit-Remaining': {
    description: 'Requests that would still be let through now.',
    schema: { type: 'integer', minimum: 0 },
    example: 59,
  },
  'RateLimit-Reset': seconds(
    'Seconds until the oldest request leaves the sliding window and makes room for one more.',
  ),
};

const errorHeaders: Partial<Record<ErrorCode, Record<string, object>>> = {
  unauthorized: {
    'WWW-Authenticate': {
      description: 'The scheme to authenticate with (RFC 6750).',
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
  rate_limited: { 'Retry-After': seconds('Seconds until a request is let through again.') },
  unavailable: { 'Retry-After': seconds('Seconds after which to try again.') },
};

/** Refusals by status: one status may stand for several codes, each with its example. */
function errorResponses(codes: readonly ErrorCode[]): Record<number, object> {
  const byStatus = Map.groupBy(codes, statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${defaultMessageOf(code)}`).join('\n\n'),
        headers: Object.assign({}, commonHeaders, ...group.map((code) => errorHeaders[code] ?? {})),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorRecord' },
            examples: Object.fromEntries(
              group.map((code) => [
                code,
                { value: { error: { code, message: defaultMessageOf(code) } } },
              ]),
            ),
          },
        },
      },
    ]),
  );
}
