import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { createPanelClient } from '../panel/client.ts';
import { sendBytes, sendRaw } from '../support/raw.ts';
import { type Server, sharedServer, startServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

// Security checks 8, 9 and 12 (ASVS 13.4.2, 16.2.5, 16.4.1, 16.5.1): no input breaks a header or a log line, and error
// responses reveal no internals.

const lineEnds = ['\r\n', '\n', '\r', '%0d%0a', '\u2028', '\x85', '\x0b', '\0'];
const marker = 'X-Injected: yes';

// Frameworks reveal more in development mode.
describe.each([
  ['text', undefined],
  ['json', 'development'],
] as const)('with the log as %s and NODE_ENV %p', async (format, mode) => {
  const server = await startServer({ WAYMARK_LOG: format, NODE_ENV: mode });
  afterAll(server.close);
  const { api, key } = await server.account('alice@example.org');
  const { code, url } = await api.create();
  const authorization = `Authorization: Bearer ${key}`;
  const logStart = server.log().length;

  test.each(lineEnds)('security check 12: %j in a destination adds no header', async (end) => {
    for (const destination of [
      `https://example.org/${end}${marker}`,
      `https://example.org/?${end}${marker}`,
      `https://example.org/#${end}${marker}`,
      `https://example${end}${marker}.org/`,
    ]) {
      await api.call(`PATCH /qrs/${code}`, { url: destination });
      const { raw } = await sendBytes(server.origin, `GET /${code} HTTP/1.0\r\n\r\n`);
      expect(raw).toStartWith('HTTP/1.1 302');
      expect(raw.split(/[\r\n]/).some((line) => line.startsWith('X-Injected'))).toBe(false);
    }
  });

  test.each(lineEnds)(
    'security check 12: %j in paths, queries and headers adds no header',
    async (end) => {
      const written = Buffer.from(`${end}${marker}`).toString('latin1');
      const encoded = encodeURIComponent(`${end}${marker}`);
      for (const request of [
        `GET /${encoded} HTTP/1.1\r\n`,
        `GET /api/v1/qrs/${encoded} HTTP/1.1\r\n`,
        `GET /api/v1/qrs?limit=${encoded} HTTP/1.1\r\n`,
        `GET /account/sign-in?next=${encoded} HTTP/1.1\r\n`,
        `GET /${code}?${encoded} HTTP/1.1\r\nUser-Agent: x${written}\r\nReferer: ${written}\r\n`,
        `GET /healthz HTTP/1.1\r\nX-Request-Id: ${written}\r\nX-Forwarded-For: ${written}\r\n`,
        `GET /api/v1/qrs HTTP/1.1\r\nIdempotency-Key: ${written}\r\nIf-None-Match: ${written}\r\n`,
      ]) {
        const head = `${request}Host: x.example\r\n${authorization}\r\nConnection: close\r\n\r\n`;
        const { answers } = await sendBytes(server.origin, head);
        expect(answers.length).toBeLessThanOrEqual(1);
        expect(answers[0]?.headers.has('x-injected') ?? false).toBe(false);
      }
    },
  );

  test('an Idempotency-Key may have any bytes', async () => {
    for (const name of ['\xff\xfe', 'x'.repeat(8000), '../../etc/passwd', "' OR 1=1--", '{}']) {
      const body = `{"url":"https://example.org/?${name.length}"}`;
      const lines = [authorization, `Idempotency-Key: ${name}`, `Content-Length: ${body.length}`];
      const [first, second] = [
        await sendRaw(server.origin, 'POST /api/v1/qrs', lines, body),
        await sendRaw(server.origin, 'POST /api/v1/qrs', lines, body),
      ];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.json).toEqual(first.json);
    }
  });

  test('nothing is logged', async () => {
    expect((await api.read(code)).url).toBe(url);
    expect(logLines(server, logStart)).toEqual([]);
  });

  describe('security checks 8 and 9: when the database fails', () => {
    const secrets = /\/src\/|\/bun|\.ts|node_modules|SELECT|sqlite|no such|at \w+ \(|\d+:\d+\)/i;

    test('responses reveal nothing, and each failure is one log line without secrets', async () => {
      breakStore(server);
      const before = server.log().length;
      const requests = [
        [`GET /api/v1/qrs/${code}`],
        [`GET /api/v1/qrs/${code}/stats`],
        [`GET /api/v1/qrs/${code}.png`],
        ['GET /api/v1/qrs'],
        ['POST /api/v1/qrs', '{"url":"https://example.org/secret-destination"}'],
        [`PATCH /api/v1/qrs/${code}`, '{"url":"https://example.org/secret-destination"}'],
      ] as const;
      for (let round = 0; round < 4; round++)
        for (const [line, body = ''] of requests) {
          const lines = [authorization, `User-Agent: x`, `Content-Length: ${body.length}`];
          const answer = await sendRaw(server.origin, `${line}`, lines, body);
          expect(answer.status).toBe(500);
          expect(answer.json).toMatchObject({ error: { code: 'internal_error' } });
          expect(answer.text + [...answer.headers].join()).not.toMatch(secrets);
          // The client can quote the id of the log line.
          const id = answer.headers.get('x-request-id') ?? 'none';
          expect(server.log().slice(before)).toContain(id);
        }
      const link = await sendRaw(server.origin, 'GET /zzzzzzzz');
      expect(link.status).toBe(500);
      expect(link.text).not.toMatch(secrets);
      expect(link.text).toContain(link.headers.get('x-request-id') ?? 'none');
      const page = await createPanelClient(server.origin).post('/account/sign-in', {
        email: 'alice@example.org',
        password: 'secret-password',
      });
      expect(page.text).not.toMatch(secrets);

      const lines = logLines(server, before);
      expect(lines.length).toBeWithin(4 * requests.length + 1, 4 * requests.length + 3);
      for (const line of lines) {
        if (format === 'json') expect(JSON.parse(line)).toMatchObject({ level: 'error' });
        else expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z error /);
        expect(line).not.toMatch(/wmk_|secret-|Bearer/);
        expect(line).not.toContain(key);
      }
    });
  });
});

test('an error response does not repeat the destination', async () => {
  const server = await sharedServer();
  const { api } = await server.account();
  for (const url of ['ftp://secret.example/?token=abc', 'https://u:hunter2@secret.example/']) {
    const answer = await api.call('POST /qrs', { url });
    expect(outcome(answer)).toBe('400 invalid_url');
    expect(answer.text).not.toMatch(/secret|hunter2|abc/);
  }
  expect(server.log()).not.toMatch(/secret|hunter2/);
});

test('a command prints nothing that changes the display of a terminal, whatever the database has', async () => {
  const server = await sharedServer();
  const { api } = await server.account();
  const { code } = await api.create();
  const database = new Database(join(server.dataFolder, 'waymark.db'));
  const text = 'a\x1b[2J\x9b2J\x07\r\u202eb';
  database.run("INSERT INTO rules VALUES (77, ?, 'block', 0, ?)", [text, text]);
  database.run('UPDATE qrs SET name = ? WHERE code = ?', [text, code]);
  for (const command of ['safety rules', 'safety status', `code show ${code}`]) {
    const { stdout, stderr } = await server.cli(command.split(' '));
    expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    if (command !== 'safety status') expect(stdout).toContain('a?[2J?2J???b');
  }
  database.run('DELETE FROM rules WHERE id = 77');
  database.close();
});

// Commands and failed sign-ins are logged on purpose.
const audit = /^\S+ (?:info command|warn sign-in failed) |"message":"(?:command|sign-in failed)"/;

/** Returns the log lines after an index, split at anything that a reader may take as a line break. */
function logLines(server: Server, begin: number): string[] {
  return server
    .log()
    .slice(begin)
    .split(/[\n\r\v\f\x85\u2028\u2029]/)
    .filter((line) => line !== '' && !audit.test(line));
}

/** Renames a table of the running server, so that its queries fail with SQL error messages. */
function breakStore(server: Server): void {
  const database = new Database(join(server.dataFolder, 'waymark.db'));
  database.run('ALTER TABLE qrs RENAME TO elsewhere');
  database.close();
}
