import { describe, expect, test } from 'bun:test';
import { readDocument } from '../support/openapi.ts';
import { sharedServer } from '../support/server.ts';
import { fieldsOf } from '../support/wire.ts';

const server = await sharedServer();
const get = (path: string) => fetch(server.origin + path, { keepalive: false });
const document = await readDocument(server.origin);

const operations: Readonly<Record<string, readonly number[]>> = {
  'POST /api/v1/qrs': [201, 400, 401, 402, 422, 429],
  'GET /api/v1/qrs': [200, 401, 402, 429],
  'GET /api/v1/qrs/{code}': [200, 401, 402, 404, 429],
  'PATCH /api/v1/qrs/{code}': [200, 400, 401, 402, 404, 422, 429],
  'GET /api/v1/qrs/{code}/stats': [200, 401, 402, 404, 429],
  'GET /api/v1/qrs/{code}.png': [200, 304, 401, 402, 404, 429],
  'GET /api/v1/qrs/{code}.svg': [200, 304, 401, 402, 404, 429],
};

describe('/docs/json is the OpenAPI document', () => {
  test('has version 3', () => {
    expect(document.raw['openapi']).toEqual(expect.stringMatching(/^3\./));
  });

  test('has exactly the paths of the API', () => {
    const paths = new Set(Object.keys(operations).map((line) => line.split(' ')[1] ?? ''));
    expect(document.paths.map(({ template }) => template).sort()).toEqual([...paths].sort());
  });

  test.each(Object.entries(operations))('%s lists the statuses %j', (line, statuses) => {
    const [method = '', template] = line.split(' ');
    const path = document.paths.find((one) => one.template === template);
    const responses = path?.operations.get(method.toLowerCase())?.responses;
    expect([...(responses?.keys() ?? [])]).toEqual(expect.arrayContaining([...statuses]));
  });

  test('has no other operation', () => {
    const documented = document.paths.flatMap(({ template, operations: listed }) =>
      [...listed.keys()].map((method) => `${method.toUpperCase()} ${template}`),
    );
    expect(documented.sort()).toEqual(Object.keys(operations).sort());
  });

  test('has the Bearer scheme', () => {
    const { securitySchemes } = fieldsOf(document.raw['components']);
    expect(Object.values(fieldsOf(securitySchemes))).toContainEqual(
      expect.objectContaining({ type: 'http', scheme: 'bearer' }),
    );
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

test.each(['docs', 'account'])('/%s/ redirects to the page without the slash', async (page) => {
  const answer = await fetch(`${server.origin}/${page}/`, { redirect: 'manual' });
  expect(answer.status).toBe(308);
  const location = new URL(answer.headers.get('location') ?? '', answer.url);
  expect(location.href).toBe(`${server.origin}/${page}`);
  expect((await get(`/${page}/`)).status).toBe(200);
});
