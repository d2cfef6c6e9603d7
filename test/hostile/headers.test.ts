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
});
afterAll(() => server.close());

interface Row {
  readonly line: string;
  readonly status: number;
  readonly lines?: readonly string[];
  readonly body?: string;
}

const json = (value: unknown) => JSON.stringify(value);
const keyed = (line: string, status: number, body?: string): Row => ({
  line,
  status,
  lines: ['$authorization'],
  ...(body === undefined ? {} : { body }),
});

// `$name` is replaced by a value of the running server.
const rows: readonly Row[] = [
  { line: 'GET /$active', status: 302 },
  { line: 'HEAD /$active', status: 302 },
  { line: 'GET /$blocked', status: 410 },
  { line: 'GET /$flagged', status: 200 },
  { line: 'GET /zzzzzzzz', status: 404 },
  { line: 'POST /$active', status: 405, body: '' },
  { line: 'GET /', status: 200 },
  { line: 'GET /nothing/here', status: 404 },
  { line: 'GET /docs', status: 200 },
  { line: 'GET /docs/json', status: 200 },
  { line: 'GET /docs/start.js', status: 200 },
  { line: 'GET /docs/swagger-ui.js', status: 200 },
  { line: 'GET /docs/swagger-ui.css', status: 200 },
  { line: 'GET /docs/nothing', status: 404 },
  { line: 'GET /healthz', status: 200 },
  { line: 'GET /healthz/live', status: 200 },
  { line: 'GET /metrics', status: 200 },
  { line: 'GET /account', status: 303 },
  { line: 'GET /account/sign-in', status: 200 },
  { line: 'GET /account/nothing', status: 404 },
  { line: 'GET /account/assets/$style', status: 200 },
  { line: 'POST /account/sign-in', status: 403, body: '' },
  { line: 'GET /api/v1/qrs', status: 401 },
  keyed('GET /api/v1/qrs', 200),
  keyed('HEAD /api/v1/qrs', 200),
  keyed('GET /api/v1/qrs/$active', 200),
  keyed('GET /api/v1/qrs/$active/stats', 200),
  keyed('GET /api/v1/qrs/$active.png', 200),
  keyed('GET /api/v1/qrs/$active.svg', 200),
  keyed('GET /api/v1/qrs/zzzzzzzz', 404),
  keyed('GET /api/v1/nothing', 404),
  keyed('DELETE /api/v1/qrs', 405),
  keyed('POST /api/v1/qrs', 201, json({ url: 'https://example.org/' })),
  keyed('POST /api/v1/qrs', 400, '{'),
  keyed('POST /api/v1/qrs', 400, json({ url: 'ftp://example.org/' })),
  keyed('POST /api/v1/qrs', 422, json({ url: unsafe })),
  keyed('PATCH /api/v1/qrs/$active', 200, json({ url: 'https://example.org/' })),
];

async function answerTo({ line, lines = [], body }: Row): Promise<Answer> {
  const filled = (text: string) => text.replace(/\$(\w+)/, (_, name: string) => known(name));
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  return sendRaw(server.origin, `${filled(line)}`, [...lines.map(filled), ...length], body);
}

function known(name: string): string {
  if (name === 'authorization') return authorization;
  return targets[name] ?? name;
}

beforeAll(async () => {
  const { text } = await createPanelClient(server.origin).get('/account/sign-in');
  targets['style'] = /\/assets\/(panel\.[0-9a-f]+\.css)/.exec(text)?.[1] ?? '';
});

test.each(rows.map((row) => [`${row.line} → ${row.status}`, row] as const))(
  '%s',
  async (_, row) => {
    const answer = await answerTo(row);
    const header = (name: string) => answer.headers.get(name) ?? '';
    const type = header('content-type');
    expect(answer.status).toBe(row.status);

    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('strict-transport-security')).toBe('max-age=31536000');
    expect(header('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
    if (answer.bytes.length > 0) expect(type).toMatch(/^[a-z]+\/[a-z+-]+/);
    if (/^text\/|json/.test(type)) expect(type).toMatch(/charset=utf-8/i);
    // Only static assets may be in shared caches.
    const isAsset = /\/docs\/|\/assets\//.test(row.line);
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
    if (row.status === 302) return;

    const isImage = type.startsWith('image/');
    const policy = header('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    if (!isImage) expect(policy).toContain("frame-ancestors 'none'");
    const allowsInlineStyles = isImage || row.line.includes('/docs');
    const strictPart = allowsInlineStyles ? policy.replace("'unsafe-inline'", '') : policy;
    expect(strictPart).not.toMatch(/unsafe|\*|https?:/);
    expect(header('cross-origin-opener-policy')).toBe('same-origin');
    expect(header('cross-origin-resource-policy')).toBe('same-origin');
    expect(header('permissions-policy')).toContain('camera=()');
  },
);
