import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { version } from '../../lib/build/version.ts';
import { imagePaths } from './images.ts';
import { componentRef, sharedComponents } from './operation.ts';
import type { ApiRoutes } from './routes.ts';

const description = `Dynamic QR codes: the printed image stays the same, its destination can change.

Every request needs an API key: \`Authorization: Bearer <API_KEY>\`. The account holder generates it in the
account panel, which shows it once. Requests are limited per key in a sliding window of one minute. Once the key is
accepted, every response reports in its \`RateLimit\` headers how many are left.

Request bodies are uncompressed JSON in UTF-8, at most 64 KiB. Responses are compressed with gzip if
\`Accept-Encoding\` asks for it. HEAD is answered where GET is.

Every error has the form \`{"error": {"code", "message"}}\`. Only what is not valid HTTP, or has more than 16 kB of
headers, is rejected without a body (400, 431 or 505), and a proxy in front of the server may have errors of its own.
Later versions may add fields, and values of \`status\`, \`kind\` and \`error.code\`.

There are no CORS headers: scripts of other web sites cannot call the API, because a key in a web page belongs to
everybody who opens it. Call the API from a server.`;

/**
 * Returns the OpenAPI 3.1 document of the API, as JSON.
 *
 * @param publicUrl without a trailing slash
 */
export async function openApiDocument(routes: ApiRoutes, publicUrl: string): Promise<string> {
  const documentation = {
    // The plugin writes 3.0.3 by default. The schemas use what only 3.1 has: null, const, examples.
    openapi: '3.1.0',
    info: {
      title: 'Waymark API',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This server' }],
    tags: [{ name: 'QRs', description: 'Create, edit, list and download dynamic QRs.' }],
    paths: imagePaths,
    components: {
      ...sharedComponents,
      securitySchemes: {
        apiKey: {
          type: 'http' as const,
          scheme: 'bearer',
          bearerFormat: '<prefix>_<40 hex>',
          description:
            'The API key of the account, generated in the account panel. Enter the key alone, without the word `Bearer`.',
        },
      },
    },
  };
  const plugin = swagger({ path: '/ui', specPath: '/document', documentation });
  const response = await new Elysia()
    .use(routes)
    .use(plugin)
    .handle(new Request('http://localhost/document'));
  return JSON.stringify(JSON.parse(await response.text(), plainSchema));
}

/**
 * Turns Elysia's schemas into plain JSON Schema, as a reviver of `JSON.parse`.
 * Drops TypeBox's names, and what Elysia adds: a default for each enumeration and `additionalProperties: false` for
 * responses. Repeats the first of the examples as `example`, the only keyword that Postman and others know.
 */
function plainSchema(key: string, value: unknown): unknown {
  if (key === '$id' || key === 'additionalProperties') return undefined;
  if (key === '$ref' && !String(value).startsWith('#'))
    return componentRef('schemas', String(value)).$ref;
  if (!(value instanceof Object)) return value;
  if ('enum' in value) return { ...value, default: undefined };
  // Of a schema. Those of a response are named, and one of them would exclude the others.
  if ('examples' in value && Array.isArray(value.examples))
    return { ...value, example: value.examples[0] };
  return value;
}
