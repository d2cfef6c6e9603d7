import type { DocumentDecoration, TSchema } from 'elysia';
import { defaultMessage, type ErrorCode, httpStatus } from '../../core/errors.ts';
import type { WholeNumber } from '../../lib/numbers.ts';
import { ErrorRecord } from './schemas.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly object[];
  /** Schema of the request body. */
  readonly body?: TSchema;
  /** Schemas of successful responses, by status. An image has the keyword `contentMediaType`. */
  readonly response: Readonly<Record<number, TSchema>>;
  /** Errors beyond the ones that every operation can return. */
  readonly errors?: readonly ErrorCode[];
}

type OperationDetail = DocumentDecoration & Required<Pick<DocumentDecoration, 'responses'>>;

/**
 * Returns the options of a route.
 * Its part of the OpenAPI document, against which tests hold each response.
 */
export function operation({ parameters, body, response, errors = [], ...texts }: Operation): {
  detail: OperationDetail;
} {
  const detail = {
    ...texts,
    tags: ['QRs'],
    security: [{ apiKey: [] }],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf(body, exampleOf(body)) } }),
    responses: {
      ...successes(response),
      ...errorResponses(body ? [...errors, 'expectation_failed'] : errors),
    },
  };
  // Elysia types this as OpenAPI 3.0. The document is 3.1, whose schemas are plain JSON Schema.
  return { detail: detail as unknown as OperationDetail };
}

export const codeParameter = {
  name: 'code',
  in: 'path',
  required: true,
  description:
    'Code of the QR, whose case does not matter, or the percent-encoded path of an imported link, whose case does. A path such as `menu.png` is the image if the account has a code `menu`, otherwise the link.',
  // Without an example, which nobody has.
  schema: { type: 'string' },
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
    const more = isImage
      ? headerRefs([...imageHeaders, 'Content-Disposition'])
      : { ...headerRefs(jsonHeaders), ...optionalHeaders(['Content-Encoding']) };
    responses[status] = {
      description: schema.description,
      headers: { ...headerRefs(usualHeaders), ...more, ...headersOf[schema.$id ?? '']?.(status) },
      content: contentOf(schema),
    };
    if (isImage) responses[304] = componentRef('responses', 'not_modified');
  }
  return responses;
}

/** The headers that only responses with some schema have. */
const headersOf: Readonly<Record<string, (status: string) => Record<string, object>>> = {
  QrRecord: (status) =>
    status === '201'
      ? { ...headerRefs(['Location']), ...optionalHeaders(['Idempotency-Replayed']) }
      : {},
  QrList: () => optionalHeaders(['Link']),
};

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
  'unavailable',
  'invalid_request',
];

/** Returns references to the error responses by status. One status may have several codes. */
function errorResponses(errors: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(new Set([...alwaysPossible, ...errors]), httpStatus);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, componentRef('responses', codes.join('_or_'))]),
  );
}

/** The codes of each error response that some operation has. */
const errorGroups: readonly (readonly ErrorCode[])[] = [
  ...alwaysPossible.map((code) => [code]),
  ['not_found'],
  ['invalid_request', 'invalid_json', 'invalid_url'],
  ['unsafe_url'],
  ['unsafe_url', 'design_unreadable'],
  ['expectation_failed'],
];

const header = (type: 'string' | 'integer', description: string) => ({
  description,
  schema: { type },
});

const headers = {
  'X-Request-Id': header('string', 'Identifies the request in the log of the server.'),
  'RateLimit-Limit': header('integer', 'Requests that a key may send in any minute.'),
  'RateLimit-Remaining': header(
    'integer',
    'Requests that the key may send now. A rejected request (429) does not count.',
  ),
  'RateLimit-Reset': header(
    'integer',
    'Seconds until the oldest request of the last minute no longer counts, and one more may be sent.',
  ),
  Location: {
    description: 'Address of the QR record.',
    schema: { type: 'string', format: 'uri' },
  },
  Link: header(
    'string',
    'Addresses of the next and the previous page, where there are any (RFC 8288).',
  ),
  'Idempotency-Replayed': header(
    'string',
    '`true` if an earlier request with this `Idempotency-Key` created the QR.',
  ),
  ETag: header('string', 'Identifies the bytes of the image, for `If-None-Match`.'),
  'Cache-Control': header(
    'string',
    '`no-store`, or for an image that clients may keep it, since it never changes.',
  ),
  Vary: header(
    'string',
    '`Accept-Encoding` for JSON. `Authorization` for an image: a cache must not answer other keys with it.',
  ),
  'Content-Encoding': header(
    'string',
    '`gzip` if the request accepts it and the JSON is 1 KiB or larger.',
  ),
  'Content-Disposition': header('string', 'The name of the file, such as `7h3k9m2x.png`.'),
  'WWW-Authenticate': header(
    'string',
    'The authentication scheme, with `error="invalid_token"` if a key was sent (RFC 6750).',
  ),
  Allow: header('string', 'The methods of this path.'),
  'Retry-After': header('integer', 'Seconds to wait before the next request.'),
} as const;
type HeaderName = keyof typeof headers;

const rateHeaders: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];
const usualHeaders: readonly HeaderName[] = ['X-Request-Id', 'Cache-Control', ...rateHeaders];
const jsonHeaders: readonly HeaderName[] = ['Vary'];
const imageHeaders: readonly HeaderName[] = ['ETag', 'Vary'];

/**
 * What an error response always has, where that is not the usual headers.
 * An unknown key has no budget.
 */
const errorHeaders: Partial<Record<ErrorCode, readonly HeaderName[]>> = {
  unauthorized: ['X-Request-Id', 'Cache-Control', 'Vary', 'WWW-Authenticate'],
  method_not_allowed: [...usualHeaders, 'Vary', 'Allow'],
  rate_limited: [...usualHeaders, 'Vary', 'Retry-After'],
  // The server may fail before it knows the key, and rejects what HTTP forbids before it looks at the path.
  internal_error: ['X-Request-Id', 'Cache-Control'],
  unavailable: ['X-Request-Id', 'Cache-Control', 'Retry-After'],
  invalid_request: ['X-Request-Id', 'Cache-Control'],
  expectation_failed: ['X-Request-Id', 'Cache-Control'],
};

/** Returns headers that each response of a kind has. */
function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, componentRef('headers', name)]));
}

/** Headers that no kind of response always has. */
const conditionalHeaders: readonly HeaderName[] = [
  'Content-Encoding',
  'Idempotency-Replayed',
  'Link',
];

/**
 * Returns headers that only some responses of a kind have.
 * What other kinds always have is a component as required.
 */
function optionalHeaders(names: readonly HeaderName[]): Record<string, object> {
  const optional = (name: HeaderName) =>
    conditionalHeaders.includes(name) ? componentRef('headers', name) : headers[name];
  return Object.fromEntries(names.map((name) => [name, optional(name)]));
}

function errorResponse(codes: readonly ErrorCode[]) {
  const example = (code: ErrorCode) => ({
    value: { error: { code, message: defaultMessage(code) } },
  });
  const sent = codes.map((code) => errorHeaders[code] ?? [...usualHeaders, 'Vary' as const]);
  const always = (sent[0] ?? []).filter((name) => sent.every((names) => names.includes(name)));
  const sometimes = [...sent.flat(), ...rateHeaders, 'Vary' as const].filter(
    (name) => !always.includes(name),
  );
  const mayVary = codes.some((code) => mixedErrors.includes(code));
  return {
    description: codes.map((code) => `\`${code}\`: ${defaultMessage(code)}`).join('\n\n'),
    headers: { ...headerRefs(always), ...optionalHeaders(mayVary ? sometimes : []) },
    content: contentOf(ErrorRecord, {
      examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
    }),
  };
}

/** Errors that a request may have before and after its key is known. */
const mixedErrors: readonly ErrorCode[] = ['internal_error', 'unavailable', 'invalid_request'];

/** Returns an example of an object, from those of its fields. */
function exampleOf({ properties }: TSchema): { example: Record<string, unknown> } {
  const fields: Readonly<Record<string, TSchema>> = properties;
  const first = Object.entries(fields).map(([name, { examples }]) => [name, examples?.[0]]);
  return { example: Object.fromEntries(first) };
}

/** The headers and responses under `components` of the OpenAPI document. */
export const sharedComponents = {
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isRequired = !conditionalHeaders.some((other) => other === name);
      return [name, isRequired ? { ...value, required: true } : value];
    }),
  ),
  responses: {
    not_modified: {
      description: 'The image still matches `If-None-Match`.',
      headers: headerRefs([...usualHeaders, ...imageHeaders]),
    },
    ...Object.fromEntries(errorGroups.map((codes) => [codes.join('_or_'), errorResponse(codes)])),
  },
};
