/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const deadlineMs = 30_000;

/**
 * Sends one request byte for byte and reads until the server closes: for everything that `fetch`
 * would put right. `lines` are header lines; `Host` and `Connection: close` are added.
 */
export async function sendRaw(
  origin: string,
  requestLine: string,
  lines: readonly string[] = [],
  body = '',
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(origin);
  const hosts = lines.some((line) => /^host:/i.test(line)) ? [] : [`Host: ${host}`];
  const head = [`${requestLine} HTTP/1.1`, ...hosts, 'Connection: close', ...lines];
  const received = await exchange(hostname, Number(port), `${head.join('\r\n')}\r\n\r\n${body}`);
  return parse(received);
}

/** Everything the server says to these bytes until it closes the connection. */
function exchange(hostname: string, port: number, request: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => reject(new Error(`no end of answer to ${request}`)), deadlineMs);
    const done = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    };
    Bun.connect({
      hostname,
      port,
      socket: {
        open: (socket) => void socket.write(request),
        data: (_socket, chunk) => void chunks.push(Buffer.from(chunk)),
        close: done,
        error: (_socket, error) => reject(error),
      },
    }).catch(reject);
  });
}

function parse(received: Buffer): RawAnswer {
  const text = received.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = received.subarray(end + 4).toString('utf8');
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}
