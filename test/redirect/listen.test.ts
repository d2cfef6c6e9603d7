import { expect, test } from 'bun:test';
import { createLogger } from '../../src/lib/logger.ts';
import { listen } from '../../src/redirect/listening/listen.ts';
import type { Site } from '../../src/redirect/site.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const log = createLogger('text', Date.now, () => {});
const quickServer = {
  site: async () => new Response('ok'),
  stopRendering: () => {},
  endApp: async () => {},
  close: async () => {},
};

/** Sends two requests on one connection, the second at once after the first response. */
async function askTwice(port: number): Promise<string[]> {
  const answers: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const ask = (socket: Bun.Socket): void => {
    socket.write('GET /01234567 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  };
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: ask,
      data: (socket, chunk) => {
        answers.push(chunk.toString());
        if (answers.length < 2) ask(socket);
      },
      close: () => resolve(answers),
      error: (_, error) => reject(error),
    },
  });
  return promise;
}

test('a stop answers the request after a slow one on a connection, with Connection: close', async () => {
  const port = freePort();
  const asked = Promise.withResolvers<void>();
  let closed = false;
  const isStopping = Promise.withResolvers<void>();
  const listening = listen({ host: '127.0.0.1', port }, log, {
    site: async () => {
      asked.resolve();
      await isStopping.promise;
      return new Response(null, { status: 302, headers: { Location: 'https://example.com/' } });
    },
    stopRendering: () => {},
    endApp: async () => {},
    close: async () => {
      closed = true;
    },
  });
  const client = askTwice(port);
  await asked.promise;
  const stopped = listening.stop();
  isStopping.resolve();
  await stopped;
  const answers = await client;
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 302', 'HTTP/1.1 302']);
  expect(answers[1]?.toLowerCase()).toContain('connection: close');
  expect(closed).toBe(true);
});

test('a copy that stops is unhealthy until it refuses connections, and keeps none open', async () => {
  const port = freePort();
  const listening = listen({ host: '127.0.0.1', port }, log, quickServer);
  const stopped = listening.stop(true);
  const answers = new Set<string>();
  await until(async () => {
    const url = `http://127.0.0.1:${port}/healthz/live`;
    const live = await fetch(url, { keepalive: false }).catch(() => null);
    if (live !== null) answers.add(`${live.status} ${live.headers.get('connection')}`);
    return live === null;
  });
  expect([...answers]).toEqual(['503 close']);
  await stopped;
});

/** Connects and sends a part of a request. `closed` resolves at the end of the connection. */
async function sendPart(port: number, sent: string) {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const socket = { data: () => {}, close: () => resolve() };
  const connection = await Bun.connect({ hostname: '127.0.0.1', port, socket });
  connection.write(sent);
  return { closed, end: () => connection.end() };
}

/** Connects to a server of its own, which does not stop: the idle timeout closes the connection. */
async function startIdle(site: Site, sent: string) {
  const port = freePort();
  const { stop } = listen({ host: '127.0.0.1', port }, log, { ...quickServer, site });
  let isClosed = false;
  const { closed, end } = await sendPart(port, sent);
  void closed.then(() => {
    isClosed = true;
  });
  return {
    isClosed: () => isClosed,
    stop: async () => {
      end();
      await stop();
    },
  };
}

test('a stop ends image requests with 503, and closes a stalled client before its timeout', async () => {
  const port = freePort();
  const rendering = Promise.withResolvers<Response>();
  const isAsked = Promise.withResolvers<void>();
  const site: Site = async (request) => {
    if (request.method === 'POST') return new Response(await request.text());
    isAsked.resolve();
    return rendering.promise;
  };
  const stopRendering = () => rendering.resolve(new Response('busy', { status: 503 }));
  const server = { ...quickServer, site, stopRendering };
  const listening = listen({ host: '127.0.0.1', port }, log, server);
  const stalled = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{';
  const idle = await startIdle(site, stalled);
  const { closed } = await sendPart(port, stalled);
  const image = fetch(`http://127.0.0.1:${port}/a.png`);
  await isAsked.promise;
  await listening.stop();
  expect((await image).status).toBe(503);
  await closed;
  expect(idle.isClosed()).toBe(false);
  await idle.stop();
});

test('a stop closes connections at once that have sent nothing or a part of a request', async () => {
  const port = freePort();
  const listening = listen({ host: '127.0.0.1', port }, log, quickServer);
  const part = 'GET / HTTP/1.1\r\nHo';
  const idle = await startIdle(quickServer.site, part);
  const parts = [await sendPart(port, ''), await sendPart(port, part)];
  // With TCP_DEFER_ACCEPT, a connection without data is accepted after a second.
  await Bun.sleep(1500);
  await listening.stop();
  await Promise.all(parts.map(({ closed }) => closed));
  expect(idle.isClosed()).toBe(false);
  await idle.stop();
});

test('a stop goes on serving others while an earlier request is under way', async () => {
  const port = freePort();
  const slow = Promise.withResolvers<Response>();
  const site: Site = async ({ url }) => (url.endsWith('/slow') ? slow.promise : new Response('ok'));
  const listening = listen({ host: '127.0.0.1', port }, log, { ...quickServer, site });
  const first = fetch(`http://127.0.0.1:${port}/slow`);
  await fetch(`http://127.0.0.1:${port}/`);
  const stopped = listening.stop();
  await Bun.sleep(1500);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok');
  slow.resolve(new Response('at last'));
  await stopped;
  expect(await (await first).text()).toBe('at last');
});

test.each(['nohost', '203.0.113.9'])('an address that this machine does not have: %s', (host) => {
  expect(() => listen({ host, port: freePort() }, log, quickServer)).toThrow(
    /this machine has no such address, .*\. Change WAYMARK_PORT or WAYMARK_HOST/,
  );
});
