import { expect, test } from 'bun:test';
import { createLogger } from '../../src/lib/logger.ts';
import { csvResponse } from '../../src/panel/routing/downloads.ts';

async function* failingLines(): AsyncGenerator<string> {
  yield 'code,url\r\n';
  throw new Error('database disk image is malformed');
}

test('an export that fails halfway breaks off, and the error is logged', async () => {
  const lines: string[] = [];
  const log = createLogger(
    'text',
    () => 0,
    (line) => lines.push(line),
  );
  const reader = csvResponse(failingLines(), { nowMs: 0, zone: 'UTC', log }).body?.getReader();
  const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect((await next()) + (await next())).toBe('\uFEFFcode,url\r\n');
  await expect(reader?.read()).rejects.toThrow();
  expect(lines).toEqual([expect.stringContaining('database disk image is malformed')]);
});
