import { expect, test } from 'bun:test';
import { onWire } from '../../src/cli/safety/run.ts';

test('names are in snake_case and instants in ISO 8601, however deep they lie', () => {
  const lists = [{ importedAtMs: 0, note: null }, { importedAtMs: null }];
  expect(onWire({ decidedBy: 'a list', lists, sinceMs: 1_000 })).toEqual({
    decided_by: 'a list',
    lists: [{ imported_at: '1970-01-01T00:00:00.000Z', note: null }, { imported_at: null }],
    since: '1970-01-01T00:00:01.000Z',
  });
});
