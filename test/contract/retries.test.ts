import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asRecord } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const body = { url: 'https://example.org/retry' };

async function post(idempotencyKey: string, sent: unknown = body, by = api) {
  const answer = await by.call('POST /qrs', sent, { 'Idempotency-Key': idempotencyKey });
  expect(answer.status).toBe(201);
  return asRecord(answer.json);
}

const total = async () => (await api.list('?limit=1')).total;

test('only a replayed response says so', async () => {
  const send = (headers: Record<string, string>, sent = body) =>
    api.call('POST /qrs', sent, headers);
  const said = async (headers: Record<string, string>, sent = body) =>
    (await send(headers, sent)).headers.get('idempotency-replayed');
  const key = { 'Idempotency-Key': 'said' };
  expect([await said({}), await said({})]).toEqual([null, null]);
  expect([await said(key), await said(key), await said(key)]).toEqual([null, 'true', 'true']);
  expect(await said(key, { url: 'https://example.org/else' })).toBeNull();
});

test('201 has the address of the record in Location', async () => {
  const { headers, json } = await api.call('POST /qrs', body, { 'Idempotency-Key': 'location' });
  const { code } = asRecord(json);
  expect(headers.get('location')).toBe(`${server.origin}/api/v1/qrs/${code}`);
  const again = await api.call('POST /qrs', body, { 'Idempotency-Key': 'location' });
  expect(again.headers.get('location')).toBe(headers.get('location'));
  expect((await api.call(`PATCH /qrs/${code}`, body)).headers.has('location')).toBe(false);
});

describe('Idempotency-Key: a repeated POST returns the first result', () => {
  test('the same key and body: the first result, even after a PATCH and a scan, and one QR', async () => {
    const first = await post('later');
    const before = await total();
    await api.call(`PATCH /qrs/${first.code}`, { url: 'https://example.org/patched' });
    await visit(first.url);
    expect(await post('later')).toEqual(first);
    expect(await total()).toBe(before);
    expect(await api.read(first.code)).toMatchObject({
      destination: 'https://example.org/patched',
      scans: 1,
    });
  });

  test('the same url in another spelling of JSON is the same request', async () => {
    const first = await post('spelling');
    for (const sent of [
      '{"url":"https:\\/\\/example.org\\/retry"}',
      ' { "url" :\n"https://example.org/retr\\u0079" } ',
      '{"name":"Table 7","url":"https://example.org/retry"}',
    ])
      expect(await post('spelling', sent)).toEqual(first);
    expect((await post('spelling', { url: 'https://example.org/retry/' })).code).not.toBe(
      first.code,
    );
  });

  test('the first result after the API key was replaced', async () => {
    const carol = await server.account('carol@example.org');
    const first = await post('replaced', body, carol.api);
    const replaced = await server.cli(['key', 'generate', carol.email, '--replace', '--json']);
    const { key } = JSON.parse(replaced.stdout);
    expect(await post('replaced', body, server.api(key))).toEqual(first);
  });

  test('another body is a new request', async () => {
    const first = await post('body');
    const second = await post('body', { url: 'https://example.org/other' });
    expect(second.code).not.toBe(first.code);
    expect(second.destination).toBe('https://example.org/other');
    expect(await post('body')).toEqual(first);
  });

  test('another key, or none, is a new request', async () => {
    expect((await post('case')).code).not.toBe((await post('CASE')).code);
    expect((await api.create(body.url)).code).not.toBe((await api.create(body.url)).code);
  });

  test('another account with the same key and body gets its own QR', async () => {
    const bob = await server.account('bob@example.org');
    const first = await post('shared');
    expect((await post('shared', body, bob.api)).code).not.toBe(first.code);
    expect((await bob.api.list()).total).toBe(1);
  });

  test('twenty at once create one QR, and one of them is not replayed', async () => {
    const before = await total();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('POST /qrs', body, { 'Idempotency-Key': 'many' })),
    );
    expect(new Set(answers.map(({ json }) => asRecord(json).code)).size).toBe(1);
    const first = answers.filter(({ headers }) => !headers.has('idempotency-replayed'));
    expect(first).toHaveLength(1);
    expect(await total()).toBe(before + 1);
  });

  test('the key may be long and have any visible character', async () => {
    for (const key of ['k'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~', '0'])
      expect(await post(key)).toEqual(await post(key));
  });

  test('a rejected request does not use its key', async () => {
    const headers = { 'Idempotency-Key': 'refused' };
    expect((await api.call('POST /qrs', '{', headers)).status).toBe(400);
    expect((await api.call('POST /qrs', { url: 'ftp://x' }, headers)).status).toBe(400);
    const first = await post('refused');
    expect(await post('refused')).toEqual(first);
  });

  test('the first result after a restart', async () => {
    const first = await post('restart');
    expect(await server.stop()).toBe(0);
    await server.start();
    expect(await post('restart')).toEqual(first);
  });
});
