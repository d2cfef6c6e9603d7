import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { type ErrorCode, httpStatus } from '../../src/core/errors.ts';
import { outputOf } from '../support/program.ts';
import { sharedServer } from '../support/server.ts';

const root = join(import.meta.dir, '../..');

const server = await sharedServer();

const get = (path: string) => fetch(server.origin + path, { keepalive: false });

const document = async () => {
  const response = await get('/docs/json');
  return (await response.json()) as {
    openapi: string;
    // biome-ignore lint/suspicious/noExplicitAny: the tests describe it
    components: { schemas: object; securitySchemes: object; responses: any };
    paths: Record<
      string,
      Record<
        string,
        { security?: unknown; parameters?: unknown; responses: Record<string, { $ref: string }> }
      >
    >;
  };
};

/** The statuses of each operation, besides those that all have. */
const statuses: Readonly<Record<string, readonly number[]>> = {
  'POST /api/v1/qrs': [201, 400, 422],
  'GET /api/v1/qrs': [200],
  'GET /api/v1/qrs/{code}': [200, 404],
  'PATCH /api/v1/qrs/{code}': [200, 400, 404, 422],
  'GET /api/v1/qrs/{code}/stats': [200, 404],
  'GET /api/v1/qrs/{code}.png': [200, 304, 404],
  'GET /api/v1/qrs/{code}.svg': [200, 304, 404],
};

describe('the OpenAPI document at /docs/json', () => {
  test('has exactly the operations of the API, each with its statuses and the key', async () => {
    const { openapi, components, paths } = await document();
    expect(openapi).toMatch(/^3\./);
    expect(components.securitySchemes).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
    });
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        expect(operation.security).toEqual([{ apiKey: [] }]);
        return [`${method.toUpperCase()} ${path}`, Object.keys(operation.responses).map(Number)];
      }),
    );
    const expected = Object.entries(statuses).map(([line, own]) => [
      line,
      expect.arrayContaining([...own, 401, 402, 405, 429]),
    ]);
    expect(Object.fromEntries(operations)).toEqual(Object.fromEntries(expected));
  });

  test('allows further fields in responses, and has no defaults for enumerations', async () => {
    const { components } = await document();
    const schemas = JSON.stringify(components.schemas);
    expect(schemas).not.toContain('"additionalProperties":false');
    expect(schemas).not.toContain('"default"');
  });

  test('enumerations are open, because later versions may add values', async () => {
    const { components } = await document();
    const ajv = new Ajv({ strict: false });
    addFormats(ajv);
    ajv.addSchema({ components }, 'document');
    const isValid = (name: string, value: unknown) =>
      ajv.validate({ $ref: `document#/components/schemas/${name}` }, value);
    const { api } = await server.account();
    const qr = await api.create();
    expect(isValid('QrRecord', qr)).toBe(true);
    expect(isValid('QrRecord', { ...qr, status: 'expired', kind: 'poster' })).toBe(true);
    expect(isValid('ErrorRecord', { error: { code: 'out_of_tea', message: '' } })).toBe(true);
    for (const wrong of [{ created_at: 'yesterday Z' }, { png: 'not a URL' }, { status: 7 }])
      expect(isValid('QrRecord', { ...qr, ...wrong })).toBe(false);
  });

  test('every error response has an example with each of its codes and its status', async () => {
    const { components, paths } = await document();
    const prefix = '#/components/responses/';
    for (const { responses } of Object.values(paths).flatMap((item) => Object.values(item)))
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const { content, description } = components.responses[response.$ref.slice(prefix.length)];
        const { examples } = content['application/json'];
        const codes = Object.keys(examples) as ErrorCode[];
        for (const code of codes) expect(examples[code].value.error.code).toBe(code);
        expect(codes).toEqual([...description.matchAll(/`(\w+)`: /g)].map(([, code]) => code));
        for (const code of codes) expect(httpStatus(code)).toBe(Number(status));
      }
  });

  test('nothing is filled in for Idempotency-Key, so that a second try creates a second QR', async () => {
    const { post } = (await document()).paths['/api/v1/qrs'] ?? {};
    expect(post?.parameters).toMatchObject([
      { name: 'Idempotency-Key', schema: { type: 'string' } },
    ]);
    expect(JSON.stringify(post?.parameters)).not.toMatch(/"(?:example|examples|default)"/);
  });

  test('passes the Redocly rules without warnings', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(await document()));
    const output = await outputOf(
      [process.execPath, 'x', '--bun', 'redocly', 'lint', '--config', 'redocly.yaml', file],
      {
        cwd: root,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    await rm(folder, { recursive: true });
    expect(output).not.toContain('warning');
  });
});

test('/docs is Swagger UI, which loads nothing from other hosts', async () => {
  const answer = await get('/docs');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toStartWith('text/html');
  const page = await answer.text();
  expect(page).toMatch(/swagger/i);
  const loaded = [...page.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)];
  expect(loaded.length).toBeGreaterThan(0);
  for (const [, address = ''] of loaded) {
    const resolved = new URL(address, `${server.origin}/docs`);
    if (resolved.protocol === 'data:') continue;
    expect(resolved.origin).toBe(server.origin);
    expect((await get(resolved.pathname + resolved.search)).status).toBe(200);
  }
});

test('the files of Swagger UI are sent compressed, and once', async () => {
  for (const path of ['/docs/swagger-ui.js', '/docs/swagger-ui.css', '/docs/start.js']) {
    const send = (encoding: string, more: Record<string, string> = {}) =>
      fetch(server.origin + path, {
        headers: { 'Accept-Encoding': encoding, ...more },
        keepalive: false,
        decompress: false,
      });
    const [compressed, plain] = [await send('gzip, br'), await send('identity')];
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(compressed.headers.get('vary')).toBe('Accept-Encoding');
    const bytes = Bun.gunzipSync(await compressed.bytes());
    expect(bytes.toHex()).toBe((await plain.bytes()).toHex());
    const [etag, plainEtag] = [compressed.headers.get('etag'), plain.headers.get('etag')];
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(plainEtag).not.toBe(etag);
    const known = await send('gzip', { 'If-None-Match': etag ?? '' });
    expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, etag, '']);
    expect((await send('identity', { 'If-None-Match': etag ?? '' })).status).toBe(200);
  }
});
