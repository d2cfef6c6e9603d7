import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { startServer } from '../support/server.ts';
import { apiKinds } from './fuzz/api-kinds.ts';
import type { Target } from './fuzz/kind.ts';
import { wireKinds } from './fuzz/wire-kinds.ts';

// B4, the short form: fuzz/run.ts sends many more of each.
const runsPerKind = 150;
const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const target: Target = { origin: server.origin, key, api, qr: await api.create() };
const begun = server.log().length;

describe('whatever is sent, the answer is a documented one', () => {
  test.each([...apiKinds, ...wireKinds].map((kind) => [kind.name, kind] as const))(
    '%s',
    async (_, kind) => {
      await fc.assert(
        kind.property(target, () => {}),
        { numRuns: runsPerKind },
      );
    },
    60_000,
  );
});

test('after all of this the QR is there, nothing was created and the log says nothing', async () => {
  expect((await api.read(target.qr.code)).url).toBe(target.qr.url);
  expect((await api.list()).total).toBe(1);
  expect(server.log().slice(begun)).toBe('');
});
