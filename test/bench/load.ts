/** What a run of load measured. */
export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that are neither 2xx nor 3xx, and connections that broke. */
  readonly unexpected: number;
}

export interface Load {
  readonly port: number;
  /** Whole requests as they go over the wire, taken at random; see {@link getRequest}. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Whole seconds. */
  readonly seconds: number;
}

/** A phone; other agents may be told apart and not counted. */
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1';

/** A GET as a phone sends it, with further header lines that each end in CRLF. */
export function getRequest(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${phone}\r\n${headers}\r\n`;
}

/**
 * Closed-loop load over raw keep-alive sockets: every connection sends its next request when the
 * answer to the last has arrived. Written for the wire, because a general HTTP client costs more than
 * the server that it would measure; `wrk`, where it is installed, costs less still.
 */
export async function load(options: Load): Promise<LoadResult> {
  const { port, requests, connections, seconds } = options;
  const random = seeded(7);
  const wires = requests.map((request) => Buffer.from(request));
  const latencies: number[] = [];
  let unexpected = 0;
  const endMs = performance.now() + seconds * 1000;

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      let sentMs = 0;
      let received = '';
      const send = (socket: Bun.Socket) => {
        sentMs = performance.now();
        socket.write(wires[Math.floor(random() * wires.length)] ?? '');
      };
      Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: {
          open: send,
          data: (socket, chunk) => {
            received += chunk.toString('latin1');
            if (!isWhole(received)) return;
            latencies.push(performance.now() - sentMs);
            if (!/^HTTP\/1\.1 [23]/.test(received)) unexpected++;
            received = '';
            if (performance.now() < endMs) return send(socket);
            socket.end();
            resolve();
          },
          error: (_, error) => reject(error),
        },
      }).catch(reject);
    });

  const beginMs = performance.now();
  await Promise.all(Array.from({ length: connections }, connection));
  const took = (performance.now() - beginMs) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    answers: latencies.length,
    seconds: took,
    p50Ms: at(latencies, 0.5),
    p99Ms: at(latencies, 0.99),
    unexpected,
  };
}

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head))?.[1] ?? 0);
  return answer.length >= head + 4 + length;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A small seeded generator (mulberry32), so that every run asks for the same. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

if (import.meta.main) console.log(JSON.stringify(await load(JSON.parse(await Bun.stdin.text()))));
