/** What a run of load measured. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers whose status line was another than the expected one. */
  readonly unexpected: number;
}

/**
 * Closed-loop load over raw keep-alive sockets: every connection sends its next request when the
 * answer to the last has arrived. Written for the wire, because a general HTTP client costs more than
 * the server that it would measure.
 *
 * @param paths taken at random, seeded, so that two servers are asked the same
 * @param expected beginning of the status line, such as `HTTP/1.1 302`
 */
export async function load(options: {
  port: number;
  paths: readonly string[];
  connections: number;
  durationMs: number;
  expected: string;
  headers?: string;
}): Promise<LoadResult> {
  const { port, paths, connections, durationMs, expected, headers = '' } = options;
  const random = seeded(7);
  const latencies: number[] = [];
  let unexpected = 0;
  const endMs = performance.now() + durationMs;

  const connection = () =>
    new Promise<void>((resolve, reject) => {
      let sentMs = 0;
      let received = '';
      const send = (socket: Bun.Socket) => {
        const path = paths[Math.floor(random() * paths.length)];
        sentMs = performance.now();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`);
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
            if (!received.startsWith(expected)) unexpected++;
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
  const seconds = (performance.now() - beginMs) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / seconds,
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
