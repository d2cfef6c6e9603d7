/** Redirects asked for over keep-alive connections until the server goes away. */
export interface Load {
  /** Resolves once so many redirects were answered since the start. */
  answered(count: number): Promise<void>;
  /** Resolves with the number of redirects that were answered, once all connections are gone. */
  readonly ended: Promise<number>;
}

const headEnd = '\r\n\r\n';

/** Each client asks for the link, waits for the whole answer, and asks again. */
export function startLoad(link: string, clients: number): Load {
  const { hostname, port, host, pathname } = new URL(link);
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}${headEnd}`;
  const waiting: { count: number; resolve: () => void }[] = [];
  let total = 0;

  function countOne(): void {
    total += 1;
    for (const wish of waiting) if (total >= wish.count) wish.resolve();
  }

  const client = () =>
    new Promise<void>((resolve, reject) => {
      let received = '';
      Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          open: (socket) => void socket.write(request),
          data: (socket, chunk) => {
            received += chunk.toString('latin1');
            if (!isWhole(received)) return;
            if (!received.startsWith('HTTP/1.1 302 '))
              return reject(new Error(`no redirect: ${received.slice(0, 200)}`));
            countOne();
            received = '';
            socket.write(request);
          },
          close: () => resolve(),
          // The kill arrives as a reset; `close` follows.
          error: () => {},
        },
      }).catch(reject);
    });

  const ended = Promise.all(Array.from({ length: clients }, client)).then(() => total);
  return {
    answered: (count) =>
      Promise.race([
        new Promise<void>((resolve) => void waiting.push({ count, resolve })),
        ended.then((reached) => {
          throw new Error(`the server went away after ${reached} redirects`);
        }),
      ]),
    ended,
  };
}

/** Whether an answer has arrived to its end: its head, and as much body as the head announces. */
function isWhole(received: string): boolean {
  const end = received.indexOf(headEnd);
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end + 2))?.[1] ?? '0';
  return received.length >= end + headEnd.length + Number(length);
}
