import { version } from '../../../package.json';
import { defaultMessage, type ErrorCode, httpStatus } from '../../core/errors.ts';
import { models } from '../api/schemas.ts';
import { type Operation, operations } from './operations.ts';

const description = `Dynamic QR codes: the printed image stays the same, its destination can change.

Every request needs an API key: \`Authorization: Bearer <API_KEY>\`. The account holder generates it in the
account panel, which shows it once. Requests are limited per key in a sliding window of one minute. Every response
reports the remaining requests.

Request bodies are uncompressed JSON in UTF-8, at most 64 KiB.

Every error has the form \`{"error": {"code", "message"}}\`. Later versions may add fields and values of
\`status\`.`;

/**
 * Returns the OpenAPI 3.1 document of the API.
 *
 * @param publicUrl without a trailing slash
 */
export function openApiDocument(publicUrl: string): object {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waymark API',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This server' }],
    tags: [{ name: 'QRs', description: 'Create, edit, list and download dynamic QRs.' }],
    paths: Object.fromEntries(
      [...byPath].map(([path, group]) => [
        path,
        Object.fromEntries(group.map((one) => [one.method, operationObject(one)])),
      ]),
    ),
    components: {
      schemas: plainSchemas(),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: '<prefix>_<40 hex>',
          description: 'The API key of the account, generated in the account panel.',
        },
      },
    },
  };
}

/**
 * Returns the wire schemas as JSON Schema. Drops TypeBox's names, and what Elysia adds: a default for each
 * enumeration and `additionalProperties: false` for responses.
 */
function plainSchemas(): object {
  return JSON.parse(JSON.stringify(models), (key, value) => {
    if (key === '$id' || key === 'additionalProperties') return undefined;
    if (key === '$ref') return schemaRef(value).$ref;
    if (value?.enum !== undefined) delete value.default;
    return value;
  });
}

const alwaysPossible: readonly ErrorCode[] = [
  'unauthorized',
  'plan_required',
  'rate_limited',
  'internal_error',
];

function operationObject(operation: Operation): object {
  const { id, summary, parameters, body, success, content, status = 200, errors = [] } = operation;
  const isImage = content === 'image/png' || content === 'image/svg+xml';
  return {
    operationId: id,
    summary,
    description: operation.description,
    tags: ['QRs'],
    security: [{ apiKey: [] }],
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [status]: {
        description: success,
        headers: { ...commonHeaders, ...(isImage && imageHeaders) },
        content: isImage
          ? { [content]: { schema: { type: 'string', format: 'binary' } } }
          : jsonContent(content),
      },
      ...(isImage && {
        304: {
          description: 'The image still matches `If-None-Match`.',
          headers: { ...commonHeaders, ETag: imageHeaders.ETag },
        },
      }),
      ...errorResponses([...alwaysPossible, ...errors]),
    },
  };
}

/** Returns the error responses by status. One status may have several codes, each with an example. */
function errorResponses(codes: readonly ErrorCode[]): Record<number, object> {
  const byStatus = Map.groupBy(codes, httpStatus);
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(group)]));
}

function errorResponse(codes: readonly ErrorCode[]): object {
  const examples = codes.map((code) => [
    code,
    { value: { error: { code, message: defaultMessage(code) } } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${defaultMessage(code)}`).join('\n\n'),
    headers: Object.assign({}, commonHeaders, ...codes.map((code) => errorHeaders[code] ?? {})),
    content: {
      'application/json': {
        schema: schemaRef('ErrorRecord'),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function jsonContent(model: string): object {
  return { 'application/json': { schema: schemaRef(model) } };
}

function schemaRef(model: string) {
  return { $ref: `#/components/schemas/${model}` };
}

const text = (header: string, example: string) => ({
  description: header,
  schema: { type: 'string' },
  example,
});

const integer = (header: string, minimum: number, example: number) => ({
  description: header,
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
  unauthorized: {
    'WWW-Authenticate': text('The authentication scheme (RFC 6750).', 'Bearer'),
  },
  rate_limited: { 'Retry-After': integer('Seconds until the next request is accepted.', 1, 42) },
  unavailable: { 'Retry-After': integer('Seconds to wait before a retry.', 1, 42) },
};
