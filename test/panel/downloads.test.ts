import { expect, test } from 'bun:test';
import type { Qr } from '../../src/core/codes/qr.ts';
import { createLogger } from '../../src/lib/logger.ts';
import { csvResponse, imageResponse } from '../../src/panel/codes/downloads.ts';

async function* breakingOff(): AsyncGenerator<string> {
  yield 'code,url\r\n';
  throw new Error('database disk image is malformed');
}

test('a table that cannot be read to its end breaks off, and the log says why', async () => {
  const lines: string[] = [];
  const log = createLogger(
    'text',
    () => 0,
    (line) => lines.push(line),
  );
  const reader = csvResponse(breakingOff(), 0, log).body?.getReader();
  const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect((await next()) + (await next())).toBe('\uFEFFcode,url\r\n');
  await expect(reader?.read()).rejects.toThrow();
  expect(lines).toEqual([expect.stringContaining('database disk image is malformed')]);
});

test.each([
  ['', 1024],
  ['?size=300', 300],
  ['?size=-5', 128],
  ['?size=%2B300', 300],
  ['?size=10000000', 4096],
  ['?size=3.5', 1024],
  ['?size=1&size=300', 300],
])('an image with %p is as wide as the API would draw it: %d pixels', async (query, widthPx) => {
  const drawn: number[] = [];
  const url = new URL(`https://qr.example.com/account/codes/7h3k9m2x/image.png${query}`);
  // No more of a code is asked for than its name.
  await imageResponse(url, { code: '7h3k9m2x' } as Qr, 'png', async (asked) => {
    drawn.push(asked);
    return new Uint8Array();
  });
  expect(drawn).toEqual([widthPx]);
});
