import { connect } from 'node:net';

/** Whole requests as they go over the wire, to a server on this machine. */
export function createRequests(origin: string, key: string) {
  const { port, host } = new URL(origin);
  const authorized = `Authorization: Bearer ${key}\r\n`;
  const lines = (start: string, more = '', body = '') =>
    `${start} HTTP/1.1\r\nHost: ${host}\r\n${more}${body && `Content-Length: ${body.length}\r\n`}\r\n${body}`;

  return {
    redirect: (code: string) => lines(`GET /${code}`),
    /** @param path relative to `/api/v1` */
    get: (path: string) => lines(`GET /api/v1${path}`, authorized),
    create: (url: string) => lines('POST /api/v1/qrs', authorized, JSON.stringify({ url })),
    edit: (code: string, url: string) =>
      lines(`PATCH /api/v1/qrs/${code}`, authorized, JSON.stringify({ url })),
    brokenJson: lines('POST /api/v1/qrs', authorized, '{'),

    /** A client that says more than it sends and goes. */
    breakOffUpload: () =>
      new Promise<void>((done) => {
        const socket = connect(Number(port), '127.0.0.1', () => {
          const head = lines('POST /api/v1/qrs', `${authorized}Content-Length: 60000\r\n`);
          socket.write(head + 'x'.repeat(30_000));
          setTimeout(() => socket.destroy(), 5);
        });
        socket.on('error', () => {});
        socket.on('close', () => done());
      }),
  };
}
