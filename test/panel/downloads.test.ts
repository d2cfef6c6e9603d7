import { expect, test } from 'bun:test';
import { makeLog } from '../../src/core/log.ts';
import { csvResponse } from '../../src/panel/downloads.ts';

async function* breakingOff(): AsyncGenerator<string> {
  yield 'code,url\r\n';
  throw new Error('database disk image is malformed');
}

test('a table that cannot be read to its end breaks off, and the log says why', async () => {
  const lines: string[] = [];
  const log = makeLog(
    'text',
    () => 0,
    (line) => lines.push(line),
  );
  const reader = csvResponse(breakingOff(), 0, log).body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('code,url\r\n');
  await expect(reader?.read()).rejects.toThrow();
  expect(lines).toEqual([expect.stringContaining('database disk image is malformed')]);
});
