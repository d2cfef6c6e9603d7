import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createPanelClient } from '../panel/client.ts';
import type { Answer } from '../support/api.ts';
import { sendRaw } from '../support/raw.ts';
import { type Server, startServer } from '../support/server.ts';

// Security checks 15, 18 and 23 (ASVS 3.4.1, 3.4.3 to 3.4.6, 4.1.1): the headers of one response of each kind.

const publicUrl = 'https://qr.example.com';
const unsafe = 'http://testsafebrowsing.appspot.com/s/malware.html';

let server: Server;
const targets: Record<string, string> = {};
let authorization = '';

beforeAll(async () => {
  server = await startServer({ WAYMARK_PUBLIC_URL: publicUrl });
  const { api, key } = await server.account('alice@example.org');
  authorization = `Authorization: Bearer ${key}`;
  const active = await api.create();
  const blocked = await api.create();
  await server.cli(['safety', 'block-code', blocked.code]);
  const flagged = await api.create('https://flagged.example/');
  await server.cli(['safety', 'block', 'flagged.example']);
  await server.cli(['safety', 'recheck']);
  Object.assign(targets, { active: active.code, blocked: blocked.code, flagged: flagged.code });
  const { text } = await createPanelClient(server.origin).get('/account/sign-in');
  targets['style'] = /\/assets\/(panel\.[0-9a-f]+\.css)/.exec(text)?.[1] ?? '';
});
afterAll(() => server.close());

type Row = readonly [line: string, status: number, body?: string];
const json = (value: unknown) => JSON.stringify(value);

// `$name` is replaced by a value of the running server.
const rows: readonly Row[] = [
  ['GET /$active', 302],
  ['HEAD /$active', 302],
  ['GET /$blocked', 410],
  ['GET /$flagged', 200],
  ['GET /zzzzzzzz', 404],
  ['POST /$active', 405, ''],
  ['GET /', 200],
  ['GET /nothing/here', 404],
  ['GET /docs', 200],
  ['GET /docs/json', 200],
  ['GET /docs/start.js', 200],
  ['GET /docs/swagger-ui.js', 200],
  ['GET /docs/swagger-ui.css', 200],
  ['GET /docs/nothing', 404],
  ['GET /healthz', 200],
  ['GET /healthz/live', 200],
  ['GET /metrics', 200],
  ['GET /account', 303],
  ['GET /account/sign-in', 200],
  ['GET /account/nothing', 404],
  ['GET /account/assets/$style', 200],
  ['POST /account/sign-in', 403, ''],
  ['GET /api/v1/qrs', 401],
  ['GET /api/v1/qrs', 200],
  ['HEAD /api/v1/qrs', 200],
  ['GET /api/v1/qrs/$active', 200],
  ['GET /api/v1/qrs/$active/stats', 200],
  ['GET /api/v1/qrs/$active.png', 200],
  ['GET /api/v1/qrs/$active.svg', 200],
  ['GET /api/v1/qrs/zzzzzzzz', 404],
  ['GET /api/v1/nothing', 404],
  ['DELETE /api/v1/qrs', 405],
  ['POST /api/v1/qrs', 201, json({ url: 'https://example.org/' })],
  ['POST /api/v1/qrs', 400, '{'],
  ['POST /api/v1/qrs', 400, json({ url: 'ftp://example.org/' })],
  ['POST /api/v1/qrs', 422, json({ url: unsafe })],
  ['PATCH /api/v1/qrs/$active', 200, json({ url: 'https://example.org/' })],
];

async function answerTo([line, status, body]: Row): Promise<Answer> {
  const filled = line.replace(/\$(\w+)/, (_, name: string) => targets[name] ?? name);
  const key = line.includes('/api/') && status !== 401 ? [authorization] : [];
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  return sendRaw(server.origin, filled, [...key, ...length], body);
}

test.each(rows.map((row) => [`${row[0]} → ${row[1]}`, row] as const))('%s', async (_, row) => {
  const [line, status] = row;
  const answer = await answerTo(row);
  const header = (name: string) => answer.headers.get(name) ?? '';
  const type = header('content-type');
  expect(answer.status).toBe(status);

  expect(header('x-content-type-options')).toBe('nosniff');
  expect(header('strict-transport-security')).toBe('max-age=31536000');
  expect(header('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
  if (answer.bytes.length > 0) expect(type).toMatch(/^[a-z]+\/[a-z+-]+/);
  if (/^text\/|json/.test(type)) expect(type).toMatch(/charset=utf-8/i);
  // Only static assets may be in shared caches.
  const isAsset = /\/docs\/|\/assets\//.test(line);
  expect(header('cache-control')).toMatch(
    isAsset ? /^(no-store|public, max-age=\d+)/ : /^(no-store|private)/,
  );

  // Nothing names the software.
  for (const name of ['server', 'x-powered-by', 'via', 'x-generator'])
    expect(answer.headers.has(name)).toBe(false);
  expect([...answer.headers.values()].join(' ')).not.toMatch(/bun|elysia/i);
  expect([...answer.headers.keys()].join()).not.toContain('access-control-');

  if (type.startsWith('text/html')) {
    expect(answer.text).not.toMatch(/<script(?![^>]* src=)| on[a-z]+=|javascript:/i);
    expect(answer.text).not.toMatch(
      /(?:src|href)="(?:https?:)?\/\/(?!flagged\.example|qr\.example\.com)/,
    );
  }
  if (status === 302) return;

  const isImage = type.startsWith('image/');
  const policy = header('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  if (!isImage) expect(policy).toContain("frame-ancestors 'none'");
  // An SVG that is opened on its own has the styles of its logo.
  const strictPart = isImage ? policy.replace("'unsafe-inline'", '') : policy;
  expect(strictPart).not.toMatch(/unsafe|\*|https?:/);
  expect(header('cross-origin-opener-policy')).toBe('same-origin');
  expect(header('cross-origin-resource-policy')).toBe('same-origin');
  expect(header('permissions-policy')).toContain('camera=()');
});
