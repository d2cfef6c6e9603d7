import { expect, test } from 'bun:test';
import { createLogger } from '../../src/lib/logger.ts';
import { csvResponse, imageResponse } from '../../src/panel/codes/downloads.ts';

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
  const reader = csvResponse(failingLines(), 0, log).body?.getReader();
  const next = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
  expect((await next()) + (await next())).toBe('\uFEFFcode,url\r\n');
  await expect(reader?.read()).rejects.toThrow();
  expect(lines).toEqual([expect.stringContaining('database disk image is malformed')]);
});

test.each([
  ['', 1024],
  ['?size=300', 300],
  ['?size=-5', 128],
  ['?size=10000000', 4096],
  ['?size=3.5', 1024],
])('an image with %p is rendered as in the API: %d pixels', async (query, widthPx) => {
  const rendered: number[] = [];
  const url = new URL(`https://qr.example.com/account/codes/7h3k9m2x/image.png${query}`);
  await imageResponse(url, { name: null, code: '7h3k9m2x' }, 'png', '"etag"', async (asked) => {
    rendered.push(asked);
    return new Uint8Array();
  });
  expect(rendered).toEqual([widthPx]);
});
