import { afterAll, expect, test } from 'bun:test';
import { listen } from '../../src/cli/serve/listen.ts';
import { freePort } from '../support/server.ts';
import { blockOf } from './blocks.ts';

const port = freePort();
const site = async () => new Response('ok');
const listening = await listen(
  { host: '127.0.0.1', port },
  { site, stopDrawing: async () => {}, close: async () => {} },
);
afterAll(() => listening.stop());

/** For how many seconds a connection stays open behind an answer. */
async function idleSeconds(delayMs: number): Promise<number> {
  await Bun.sleep(delayMs);
  let answeredMs = 0;
  const { promise, resolve } = Promise.withResolvers<number>();
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      data: () => {
        answeredMs = performance.now();
      },
      close: () => resolve((performance.now() - answeredMs) / 1000),
    },
  });
  return promise;
}

test('a proxy set up as its page says lets go of a connection before the server does', async () => {
  // The server's clock ticks every four seconds, so when a connection begins to be idle matters.
  const idle = await Promise.all(Array.from({ length: 16 }, (_, nth) => idleSeconds(nth * 250)));
  const nginx = /keepalive_timeout (\d+)s/.exec(await blockOf('docs/nginx.md', 'nginx'));
  const caddy = /keepalive (\d+)s/.exec(await blockOf('docs/caddy.md', 'caddy'));
  for (const [, seconds = ''] of [nginx ?? [], caddy ?? []]) {
    expect(seconds).not.toBe('');
    // A request takes a while to arrive.
    expect(Math.min(...idle)).toBeGreaterThan(Number(seconds) + 1);
  }
}, 60_000);
