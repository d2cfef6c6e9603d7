import { afterEach } from 'bun:test';
import { createHttpProtocol } from '../../src/reputation/providers/http.ts';
import type { ProviderName } from '../../src/reputation/providers/provider.ts';
import type { Connection } from '../../src/reputation/providers/request.ts';
import { createSafeBrowsingV5 } from '../../src/reputation/providers/safe-browsing-v5.ts';
import { createWebRisk } from '../../src/reputation/providers/web-risk.ts';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A local server, stopped after the test. */
export interface Stub {
  readonly url: string;
  /** Requests received, in order. */
  readonly requests: Request[];
}

export function serve(
  answer: (request: Request, count: number) => Response | Promise<Response>,
): Stub {
  const requests: Request[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      requests.push(request.clone());
      return answer(request, requests.length);
    },
  });
  stops.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, requests };
}

/** Starts a server that writes raw bytes to each connection. */
export function serveRaw(talk: (socket: Bun.Socket<undefined>) => void): Stub {
  const server = Bun.listen<undefined>({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => talk(socket) },
  });
  stops.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, requests: [] };
}

/** Sends a part of a body, and ends the connection. */
export const breakOff = (part: string) => (socket: Bun.Socket<undefined>) => {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n${part}`);
  socket.end();
};

/** Sends one byte at a time, without end. */
export function trickle(socket: Bun.Socket<undefined>): void {
  socket.write(
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
  );
  const timer = setInterval(() => {
    if (socket.write(' ') < 0) clearInterval(timer);
  }, 5);
  stops.push(() => clearInterval(timer));
}

/** Creates the protocol of a provider by name. */
export function createProtocol(
  name: ProviderName,
  options: Connection & { readonly url: string; readonly key: string },
) {
  const create = { http: createHttpProtocol, webrisk: createWebRisk, v5: createSafeBrowsingV5 };
  return create[name](options);
}

/** Creates a clock that moves only by `pass`. */
export function createTestClock(startMs = Date.parse('2026-11-21T12:00:00Z')) {
  let passedMs = 0;
  return {
    nowMs: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    pass: (ms: number) => {
      passedMs += ms;
    },
  };
}
