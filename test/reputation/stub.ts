import { afterEach } from 'bun:test';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A provider or mirror on this machine, stopped after the test. */
export interface Stub {
  readonly url: string;
  /** What was asked, in order. */
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

/** A server that speaks raw bytes: each connection gets what `talk` writes to it. */
export function serveRaw(talk: (socket: Bun.Socket<undefined>) => void): Stub {
  const server = Bun.listen<undefined>({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: (socket) => talk(socket) },
  });
  stops.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, requests: [] };
}

/** One byte at a time, for ever. */
export function trickle(socket: Bun.Socket<undefined>): void {
  socket.write(
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
  );
  const timer = setInterval(() => {
    if (socket.write(' ') < 0) clearInterval(timer);
  }, 5);
  stops.push(() => clearInterval(timer));
}

/** A clock that stands still until it is told otherwise. */
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
