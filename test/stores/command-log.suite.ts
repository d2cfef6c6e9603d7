import { expect, test } from 'bun:test';
import type { CommandLogStore } from '../../src/core/accounts/command-log.ts';

/** Tests of the changes that commands record, for every adapter. */
export function commandLogSuite(name: string, log: CommandLogStore): void {
  test(`${name}: entries of commands are taken once, oldest first`, async () => {
    const entries = ['a', 'b', 'c'].map((account, atMs) => {
      return { command: 'account plan', details: { account }, atMs };
    });
    expect(await log.take(10)).toEqual([]);
    for (const entry of entries) await log.append(entry);
    expect(await log.take(2)).toEqual(entries.slice(0, 2));
    const taken = await Promise.all([log.take(2), log.take(2)]);
    expect(taken.flat()).toEqual(entries.slice(2));
    expect(await log.take(2)).toEqual([]);
  });
}
