import type { DocumentDecoration, TSchema } from 'elysia';
import { defaultMessage, type ErrorCode, httpStatus } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/numbers.ts';
import { ErrorRecord } from './schemas.ts';

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
  description:
    'Code of the QR, whose case does not matter, or the percent-encoded path of an imported link, whose case does. A path such as `menu.png` is the image if the account has a code `menu`, otherwise the link.',
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
    const more = isImage ? imageHeaders : status === '201' ? (['Location'] as const) : [];
    responses[status] = {
      description: schema.description,
      headers: headerRefs([...usualHeaders, ...more]),
      content: contentOf(schema),
    };
    if (isImage) responses[304] = componentRef('responses', 'not_modified');
  }
  return responses;
}

function contentOf(schema: TSchema, more: object = {}): object {
  const reference = schema.$id === undefined ? schema : componentRef('schemas', schema.$id);
  return { [schema['contentMediaType'] ?? 'application/json']: { schema: reference, ...more } };
}

/** Returns the reference to a component of the document. */
export function componentRef(kind: 'schemas' | 'responses' | 'headers', name: string) {
  return { $ref: `#/components/${kind}/${name}` };
}

const alwaysPossible: readonly ErrorCode[] = [
  'unauthorized',
  'plan_required',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
];

/** Returns references to the error responses by status. One status may have several codes. */
function errorResponses(errors: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy([...alwaysPossible, ...errors], httpStatus);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, componentRef('responses', codes.join('_or_'))]),
  );
}

/** The codes of each error response that some operation has. */
const errorGroups: readonly (readonly ErrorCode[])[] = [
  ...alwaysPossible.map((code) => [code]),
  ['not_found'],
  ['invalid_json', 'invalid_url'],
  ['unsafe_url'],
  ['unsafe_url', 'design_unreadable'],
  ['unavailable'],
];

const header = (type: 'string' | 'integer', description: string) => ({
  description,
  schema: { type },
});

const headers = {
  'X-Request-Id': header('string', 'Identifies the request in the log of the server.'),
  'RateLimit-Limit': header('integer', 'Requests per minute for this key.'),
  'RateLimit-Remaining': header('integer', 'Requests left in the current window.'),
  'RateLimit-Reset': header('integer', 'Seconds until the oldest request leaves the window.'),
  Location: {
    description: 'Address of the QR record.',
    schema: { type: 'string', format: 'uri' },
  },
  ETag: header('string', 'Identifies the bytes of the image, for `If-None-Match`.'),
  'Cache-Control': header('string', 'Clients may cache the image forever, since it never changes.'),
  Vary: header('string', 'A cache must not answer other keys with the image.'),
  'WWW-Authenticate': header(
    'string',
    'The authentication scheme, with `error="invalid_token"` if a key was sent (RFC 6750).',
  ),
  Allow: header('string', 'The methods of this path.'),
  'Retry-After': header('integer', 'Seconds to wait before the next request.'),
} as const;
type HeaderName = keyof typeof headers;

const usualHeaders: readonly HeaderName[] = [
  'X-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

const imageHeaders: readonly HeaderName[] = ['ETag', 'Cache-Control', 'Vary'];

// An unknown key has no budget, and the server may fail before it knows the key.
const errorHeaders: Partial<Record<ErrorCode, readonly HeaderName[]>> = {
  unauthorized: ['X-Request-Id', 'WWW-Authenticate'],
  method_not_allowed: [...usualHeaders, 'Allow'],
  rate_limited: [...usualHeaders, 'Retry-After'],
  internal_error: ['X-Request-Id'],
  unavailable: ['X-Request-Id', 'Retry-After'],
};

function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, componentRef('headers', name)]));
}

function errorResponse(codes: readonly ErrorCode[]) {
  const example = (code: ErrorCode) => ({
    value: { error: { code, message: defaultMessage(code) } },
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${defaultMessage(code)}`).join('\n\n'),
    headers: headerRefs(codes.flatMap((code) => errorHeaders[code] ?? usualHeaders)),
    content: contentOf(ErrorRecord, {
      examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
    }),
  };
}

/** The headers and responses under `components` of the OpenAPI document. */
export const sharedComponents = {
  headers,
  responses: {
    not_modified: {
      description: 'The image still matches `If-None-Match`.',
      headers: headerRefs([...usualHeaders, ...imageHeaders]),
    },
    ...Object.fromEntries(errorGroups.map((codes) => [codes.join('_or_'), errorResponse(codes)])),
  },
};
