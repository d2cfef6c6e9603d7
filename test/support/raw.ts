import { type Answer, parse } from './api.ts';
import { holdAgainstDocument } from './openapi.ts';

const deadlineMs = 110_000;

/** The responses on one connection, until the server closed it. */
export interface Exchange {
  readonly answers: readonly Answer[];
  /** All bytes, as Latin-1. */
  readonly raw: string;
}

/**
 * Sends bytes over a new connection, of TLS for `https:`, and reads until the server closes it. The last request should have the header
 * `Connection: close`.
 *
 * @param bytes a string has one byte per character
 * @param options.end whether to close our half of the connection after the bytes
 */
export function sendBytes(
  origin: string,
  bytes: string | Uint8Array,
  { end = false }: { end?: boolean } = {},
): Promise<Exchange> {
  const { protocol, hostname, port } = new URL(origin);
  const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sent = 0;
    const timer = setTimeout(
      () => reject(new Error(`the connection was not closed: ${data.subarray(0, 200)}`)),
      deadlineMs,
    );
    const send = (socket: Bun.Socket) => {
      while (sent < data.length) {
        const count = socket.write(data.subarray(sent));
        if (count <= 0) return;
        sent += count;
      }
      if (end) socket.shutdown();
    };
    Bun.connect({
      hostname,
      port: Number(port),
      ...(protocol === 'https:' && { tls: { rejectUnauthorized: false } }),
      socket: {
        open: send,
        drain: send,
        data: (_, chunk) => void chunks.push(Buffer.from(chunk)),
        close: () => {
          clearTimeout(timer);
          const raw = Buffer.concat(chunks).toString('latin1');
          resolve({ raw, answers: answersIn(raw) });
        },
        // The server may reset the connection while we are sending; `close` follows.
        error: () => {},
      },
    }).catch(reject);
  });
}

/**
 * Sends one request that `fetch` would normalize, and checks the response of the API against the OpenAPI document.
 * Adds `Connection: close` and, if it is missing, `Host`.
 *
 * @param line method and target
 * @param headerLines without line breaks
 */
export async function sendRaw(
  origin: string,
  line: string,
  headerLines: readonly string[] = [],
  body = '',
): Promise<Answer> {
  const hasHost = headerLines.some((one) => /^host *:/i.test(one));
  const host = hasHost ? [] : [`Host: ${new URL(origin).host}`];
  const head = [`${line} HTTP/1.1`, ...host, 'Connection: close', ...headerLines].join('\r\n');
  const { answers, raw } = await sendBytes(origin, `${head}\r\n\r\n${body}`);
  const [answer] = answers;
  if (answer === undefined || answers.length > 1)
    throw new Error(`${answers.length} responses to ${JSON.stringify(line)}: ${raw}`);
  const [method = '', target = ''] = line.split(' ');
  // Bun resolves dot segments, as browsers do.
  const path = URL.parse(`http://x.example${target}`)?.pathname ?? target;
  const isTemplatePath = path.startsWith('/api/v1/') && !path.includes('%');
  if (isTemplatePath && answer.headers.has('ratelimit-limit'))
    await holdAgainstDocument(origin, method, path, answer);
  return answer;
}

/** Parses consecutive responses with Content-Length. */
function answersIn(raw: string): Answer[] {
  const answers: Answer[] = [];
  let rest = raw;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`incomplete response: ${rest}`);
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const headers = new Headers();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    }
    const length = status === 100 ? 0 : Number(headers.get('content-length') ?? rest.length);
    const body = rest.slice(end + 4, end + 4 + length);
    rest = rest.slice(end + 4 + length);
    const bytes = new Uint8Array(Buffer.from(body, 'latin1'));
    const text = new TextDecoder().decode(bytes);
    if (status >= 200) answers.push({ status, headers, bytes, text, json: parse(text) });
  }
  if (rest !== '' && !rest.startsWith('HTTP/'))
    throw new Error(`bytes after the responses: ${rest}`);
  return answers;
}
