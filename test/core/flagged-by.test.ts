import { expect, test } from 'bun:test';
import { builtInList, flagSource, operatorList, remoteChecks } from '../../src/core/safety/flag.ts';

test.each([
  [operatorList, 'operator'],
  [builtInList, 'built-in'],
  ...remoteChecks.map((name) => [name, 'remote check'] as const),
  ['urlhaus', 'imported list'],
] as const)('what bears "%s" was flagged by: %s', (list, by) => {
  expect(flagSource(list)).toBe(by);
});
