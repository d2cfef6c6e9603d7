import { expect, test } from 'bun:test';
import { listen } from '../../src/cli/serve/listen.ts';
import type { Site } from '../../src/http/site.ts';
import { freePort } from '../support/server.ts';

/** A client on one connection: each request follows the answer before it at once. */
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

test('a stop answers what comes on a connection after a slow answer, and says that it is the last', async () => {
  const port = freePort();
  const asked = Promise.withResolvers<void>();
  let closed = false;
  // As on a disk that takes a quarter of a second to write the first scan.
  let answerMs = 250;
  const listening = await listen(
    { host: '127.0.0.1', port },
    {
      site: async () => {
        asked.resolve();
        const delayMs = answerMs;
        answerMs = 0;
        await Bun.sleep(delayMs);
        return new Response(null, { status: 302, headers: { Location: 'https://example.com/' } });
      },
      stopDrawing: async () => {},
      close: async () => {
        closed = true;
      },
    },
  );
  const client = askTwice(port);
  await asked.promise;
  await listening.stop();
  const answers = await client;
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(['HTTP/1.1 302', 'HTTP/1.1 302']);
  expect(answers[1]?.toLowerCase()).toContain('connection: close');
  expect(closed).toBe(true);
});

test('a stop turns away who waits for a picture while there is a connection to tell it on', async () => {
  const port = freePort();
  const drawing = Promise.withResolvers<Response>();
  const asked = Promise.withResolvers<void>();
  const site: Site = () => {
    asked.resolve();
    return drawing.promise;
  };
  const stopDrawing = async () => drawing.resolve(new Response('come again', { status: 503 }));
  const server = { site, stopDrawing, close: async () => {} };
  const listening = await listen({ host: '127.0.0.1', port }, server);
  const waiting = fetch(`http://127.0.0.1:${port}/a.png`);
  await asked.promise;
  await listening.stop();
  const answer = await waiting;
  expect([answer.status, await answer.text()]).toEqual([503, 'come again']);
}, 30_000);

/** Longer than an idle connection lives, by a clock that ticks every four seconds. */
const longAnswerMs = 14_000;

test('whoever waits for a picture is not taken for one that stalls, and is cut when it does', async () => {
  const port = freePort();
  const draw = async () => {
    await Bun.sleep(longAnswerMs);
    return new Response('drawn');
  };
  const site: Site = (request, connections) =>
    connections?.keepOpen(request, draw()) ?? Promise.reject(new Error('no connections'));
  const listening = await listen(
    { host: '127.0.0.1', port },
    { site, stopDrawing: async () => {}, close: async () => {} },
  );
  const beganMs = performance.now();
  let received = '';
  const closed = Promise.withResolvers<void>();
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      data: (_, chunk) => {
        received += chunk.toString();
      },
      close: () => closed.resolve(),
    },
  });
  await closed.promise;
  expect(received).toEndWith('drawn');
  expect(performance.now() - beganMs).toBeLessThan(longAnswerMs + 20_000);
  await listening.stop();
}, 60_000);
