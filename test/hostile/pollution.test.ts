import { describe, expect, test } from 'bun:test';
import { createPanelClient, signedIn } from '../panel/client.ts';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { asRecord, outcome } from '../support/wire.ts';

// Security checks 27 and 28 (ASVS 15.3.3, 15.3.6): prototype pollution and mass assignment.
const server = await sharedServer();
const { api, key } = await server.account();
const qr = await api.create('https://example.org/start');
const authorization = `Authorization: Bearer ${key}`;
const url = 'https://example.org/polluted';
const quoted = JSON.stringify(url);

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then'];

describe('security check 28: names of prototypes in a body', () => {
  test.each([
    ...names.map((name) => `{${JSON.stringify(name)}:{"url":${quoted}}}`),
    `{"constructor":{"prototype":{"url":${quoted}}}}`,
    `{"__proto__.url":${quoted}}`,
    `{"url":{"__proto__":{"toString":${quoted}}}}`,
    `{"url":{"toString":${quoted},"valueOf":${quoted}}}`,
    `{"url":[${quoted}]}`,
    `{"url":null}`,
    `{"URL":${quoted}}`,
    `{"u\\u0072l\\u0000":${quoted}}`,
  ])('%s is 400 invalid_url', async (body) => {
    for (const line of ['POST /qrs', `PATCH /qrs/${qr.code}`])
      expect(outcome(await api.call(line, body))).toBe('400 invalid_url');
    // The next request is not affected.
    expect(outcome(await api.call('POST /qrs', '{}'))).toBe('400 invalid_url');
  });

  test('are ignored beside a url', async () => {
    for (const name of names) {
      const body = `{"url":${quoted},${JSON.stringify(name)}:{"scans":9,"status":"blocked"}}`;
      const answer = await api.call(`PATCH /qrs/${qr.code}`, body);
      expect(asRecord(answer.json)).toEqual({ ...qr, destination: url });
    }
  });
});

describe('security check 27: fields that only the server sets', () => {
  const fields = {
    ...{ id: 1, code: 'hackhack', scans: 99, status: 'blocked', account_id: 2, accountId: 2 },
    ...{ created_at: '1970-01-01T00:00:00Z', last_scan: '1970-01-01T00:00:00Z', kind: 'x' },
    ...{ mode: 'static', has_design: false, png: 'https://evil.example/', design_id: 7 },
    ...{ destination: 'https://evil.example/', operator: true, plan_until: '2099-01-01' },
  };

  test('are ignored by PATCH', async () => {
    const answer = await api.call(`PATCH /qrs/${qr.code}`, { url, ...fields });
    expect(asRecord(answer.json)).toEqual({ ...qr, destination: url });
  });

  test('are ignored by POST', async () => {
    const made = asRecord((await api.call('POST /qrs', { url, ...fields })).json);
    expect(made).toMatchObject({ destination: url, scans: 0, status: 'active', last_scan: null });
    expect(made.code).not.toBe('hackhack');
    expect(made.created_at).not.toStartWith('1970');
  });

  test('are ignored in forms of the panel', async () => {
    const holder = await signedIn(server, 'carl@example.org');
    const form = { csrf: await holder.csrf(), url, ...stringsOf(fields) };
    // Forms name the account that they were opened with: another one is none to change.
    const ofAnother = await holder.post('/account/codes', { ...form, account: '1' });
    expect(ofAnother.status).toBe(403);
    const made = await holder.post('/account/codes', form);
    expect(made.status).toBe(303);
    const code = /\/codes\/([0-9a-z]{8})/.exec(made.to ?? '')?.[1] ?? '';
    expect(code).not.toBe('hackhack');
    expect((await holder.get('/account/accounts')).status).toBe(404);
    expect((await api.call(`GET /qrs/${code}`)).status).toBe(404);
  });
});

describe('security check 28: elsewhere', () => {
  test.each(names)('%s has no effect in a query, a cookie, a form and a path', async (name) => {
    const query = `${name}[limit]=3&${name}.limit=3&${name}=3`;
    const list = await sendRaw(server.origin, `GET /api/v1/qrs?${query}`, [authorization]);
    expect(list.json).toMatchObject({ limit: 50, offset: 0 });
    const cookie = `Cookie: ${name}=x; ${name}[a]=y; waymark-session=${name}; =; ;;`;
    for (const path of [`/account/codes?${query}`, '/account/sign-in', `/account/${name}`])
      expect((await sendRaw(server.origin, `GET ${path}`, [cookie])).status).toBeLessThan(500);
    expect((await sendRaw(server.origin, `GET /${name}`, [cookie])).status).toBe(404);
    const answer = await createPanelClient(server.origin).post('/account/sign-in', {
      [name]: 'x',
      [`${name}[email]`]: 'carl@example.org',
    });
    expect(answer.status).toBe(422);
  });

  test('afterwards, requests are handled as before', async () => {
    expect(outcome(await api.call('POST /qrs', '{}'))).toBe('400 invalid_url');
    expect((await sendRaw(server.origin, 'GET /api/v1/qrs', [])).status).toBe(401);
    expect(server.problems().filter((line) => !line.includes('sign-in failed'))).toEqual([]);
  });
});

function stringsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
