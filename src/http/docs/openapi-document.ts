import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { version } from '../../../package.json';
import { outerPath } from '../api/image-paths.ts';
import type { Api } from '../api/routes.ts';

const description = `Dynamic QR codes: the printed mark stays, where it leads can change.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. The account holder generates it
in the account panel; it is shown once. Requests are counted per key in a sliding window of one
minute, and every answer says what is left of it.

Bodies are JSON in UTF-8, uncompressed, at most 64 KiB.

Every error has the form \`{"error": {"code", "message"}}\`. Clients should expect further fields and
further values of \`status\` in later versions.`;

/**
 * The OpenAPI document of the API.
 *
 * @param publicUrl where clients reach the server, without a trailing slash
 */
export function openApiDocument(api: Api, publicUrl: string): Promise<object> {
  const documenter = new Elysia().use(api.routes).use(
    swagger({
      path: '/ui',
      specPath: '/document',
      excludeStaticFile: false,
      documentation: {
        // The plugin writes 3.0.3; the schemas use what only 3.1 has (null, const, examples).
        ...{ openapi: '3.1.0' },
        info: {
          title: 'Waymark API',
          version,
          description,
          license: { name: 'MIT', ...{ identifier: 'MIT' } },
        },
        servers: [{ url: publicUrl, description: 'This server' }],
        tags: [{ name: 'QRs', description: 'Create, edit, list and download dynamic QRs.' }],
        components: {
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: '<prefix>_<40 hex>',
              description: 'The API key of the account, generated in the account panel.',
            },
          },
        },
      },
    }),
  );
  return documentOf(documenter);
}

/** The plugin's document with the paths that clients use and without the plugin's own. */
async function documentOf(documenter: { handle(request: Request): Promise<Response> }) {
  const response = await documenter.handle(new Request('http://localhost/document'));
  // The plugin leaves TypeBox's names of schemas as they are; OpenAPI refers to them by their place.
  const document = JSON.parse(await response.text(), (key, value) => {
    if (key === '$id') return undefined;
    // Elysia closes the records that it sends and gives an enumeration its first value as a default. Neither is a promise
    // of ours: a later version adds fields, and an error without a code is none.
    if (key === 'additionalProperties' && value === false) return undefined;
    if (value?.enum !== undefined) delete value.default;
    return key === '$ref' && !value.includes('/') ? `#/components/schemas/${value}` : value;
  }) as { paths: Record<string, object> }; // OpenAPI's own shape
  const paths = Object.entries(document.paths)
    .map(([path, item]) => [outerPath(path), item] as const)
    .filter(([path]) => path.startsWith('/api/v1/'));
  return { ...document, paths: Object.fromEntries(paths) };
}
