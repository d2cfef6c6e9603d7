import { holdAgainstDocument } from './openapi.ts';
import { asEnvelope, asList, asRecord, type List, type QrRecord } from './wire.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

export interface Api {
  /**
   * Sends one request, such as `call('PATCH /qrs/abc', { url })`, and checks the response against the OpenAPI document
   * and the error record.
   *
   * @param line method and path below `/api/v1`
   * @param body a string or bytes are sent unchanged, anything else as JSON
   */
  call(line: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Creates a QR or throws. */
  create(url?: string): Promise<QrRecord>;
  /** Reads a QR or throws. */
  read(code: string): Promise<QrRecord>;
  /** Lists QRs or throws; `query` such as `?limit=3`. */
  list(query?: string): Promise<List>;
}

export function createApi(origin: string, key?: string): Api {
  const call: Api['call'] = async (line, body, headers = {}) => {
    const [method = '', path = ''] = line.split(' ', 2);
    const target = `${origin}/api/v1${path}`;
    const init: RequestInit = {
      method,
      headers: {
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      keepalive: false,
    };
    if (body !== undefined) init.body = isRaw(body) ? body : JSON.stringify(body);
    const answer = await readAnswer(await fetch(target, init));
    await holdAgainstDocument(origin, method, new URL(target).pathname, answer);
    if (answer.status >= 400 && method !== 'HEAD') asEnvelope(answer);
    return answer;
  };

  const expecting = async (status: number, line: string, body?: unknown): Promise<unknown> => {
    const answer = await call(line, body);
    if (answer.status !== status) throw new Error(`${line}: ${answer.status} ${answer.text}`);
    return answer.json;
  };

  return {
    call,
    create: async (url = 'https://example.org/') =>
      asRecord(await expecting(201, 'POST /qrs', { url })),
    read: async (code) => asRecord(await expecting(200, `GET /qrs/${code}`)),
    list: async (query = '') => asList(await expecting(200, `GET /qrs${query}`)),
  };
}

/** Reads a response to its end. */
export async function readAnswer(response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, bytes, text, json: parse(text) };
}

/** Parses JSON; undefined for other text. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}
