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

describe('Idempotency-Key: a retried POST answers with the first result', () => {
  test('the same key and body: the same QR, and only one', async () => {
    const first = await post('same');
    const before = await total();
    expect(await post('same')).toEqual(first);
    expect(await post('same')).toEqual(first);
    expect(await total()).toBe(before);
  });

  test('the first result, also after a PATCH and a scan', async () => {
    const first = await post('later');
    await api.call(`PATCH /qrs/${first.code}`, { url: 'https://example.org/patched' });
    await visit(first.url);
    expect(await post('later')).toEqual(first);
    expect(await api.read(first.code)).toMatchObject({
      destination: 'https://example.org/patched',
      scans: 1,
    });
  });

  test('another body is a new request', async () => {
    const first = await post('body');
    const second = await post('body', { url: 'https://example.org/other' });
    expect(second.code).not.toBe(first.code);
    expect(second.destination).toBe('https://example.org/other');
    expect(await post('body')).toEqual(first);
  });

  test('another key is a new request', async () => {
    expect((await post('one')).code).not.toBe((await post('two')).code);
    expect((await post('case')).code).not.toBe((await post('CASE')).code);
  });

  test('no key: every request is new', async () => {
    expect((await api.create(body.url)).code).not.toBe((await api.create(body.url)).code);
  });

  test('another account with the same key and body gets its own QR', async () => {
    const bob = await server.account('bob@example.org');
    const hers = await post('shared');
    const his = await post('shared', body, bob.api);
    expect(his.code).not.toBe(hers.code);
    expect((await bob.api.list()).total).toBe(1);
  });

  test('twenty at once create one QR', async () => {
    const before = await total();
    const qrs = await Promise.all(Array.from({ length: 20 }, () => post('parallel')));
    expect(new Set(qrs.map(({ code }) => code)).size).toBe(1);
    expect(await total()).toBe(before + 1);
  });

  test('a long key, and one with any visible character, work like the others', async () => {
    for (const key of ['k'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~', '0'])
      expect(await post(key)).toEqual(await post(key));
  });

  test('a refused request stores nothing under its key', async () => {
    const headers = { 'Idempotency-Key': 'refused' };
    expect((await api.call('POST /qrs', '{', headers)).status).toBe(400);
    expect((await api.call('POST /qrs', { url: 'ftp://x' }, headers)).status).toBe(400);
    const first = await post('refused');
    expect(await post('refused')).toEqual(first);
  });

  test('survives a restart', async () => {
    const first = await post('restart');
    expect(await server.stop()).toBe(0);
    await server.start();
    expect(await post('restart')).toEqual(first);
  });
});
