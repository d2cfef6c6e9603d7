import { connect } from 'node:net';

/** What became of the requests of some clients. */
export interface Tally {
  /** Answers by status. */
  readonly answered: Map<number, number>;
  /** Requests on a connection that had been answered before, and then got no whole answer. */
  unanswered: number;
  /** New connections that ended before their first request was answered. */
  reset: number;
  /** Connections that the server did not take. */
  refused: number;
}

/** A request for one link on the wire. */
export function requestFor(link: string, headers: readonly string[] = []): string {
  const { pathname, host } = new URL(link);
  return [`GET ${pathname} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n');
}

/**
 * Clients that ask again as soon as they are answered, each on a connection of its own, until the
 * server goes away.
 *
 * @param keepAlive whether a connection is used for more than one request
 */
export function startClients(link: string, count: number, keepAlive: boolean) {
  const { hostname, port } = new URL(link);
  const request = requestFor(link, keepAlive ? [] : ['Connection: close']);
  const tally: Tally = { answered: new Map(), unanswered: 0, reset: 0, refused: 0 };
  let total = 0;

  /** One connection. @returns whether another one is worth trying */
  const serve = () =>
    new Promise<boolean>((resolve) => {
      let [received, isWaiting, isOpen, isKnown] = ['', false, false, false];
      const socket = connect(Number(port), hostname);
      const ask = () => {
        isWaiting = true;
        socket.write(request);
      };
      socket.on('connect', () => {
        isOpen = true;
        ask();
      });
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (!received.includes('\r\n\r\n')) return;
        const status = Number(received.slice(9, 12));
        tally.answered.set(status, (tally.answered.get(status) ?? 0) + 1);
        total++;
        const stays = keepAlive && !/\r\nconnection: close/i.test(received);
        [received, isWaiting, isKnown] = ['', false, true];
        if (stays) ask();
        else socket.end();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!isOpen) tally.refused++;
        else if (isWaiting && isKnown) tally.unanswered++;
        else if (isWaiting) tally.reset++;
        resolve(isOpen && !isWaiting);
      });
    });

  const client = async () => {
    while (await serve());
  };
  const stalls = watchStalls();
  return {
    tally,
    answers: () => total,
    /** For how long these clients could do nothing, at the longest: this process had no processor, or was busy. */
    longestStallMs: stalls.longestMs,
    ended: Promise.all(Array.from({ length: count }, client)).finally(stalls.end),
  };
}

const watchEveryMs = 10;

/** Watches for how long the event loop of this process stands still. */
function watchStalls() {
  let [lastMs, longestMs] = [performance.now(), 0];
  const look = () => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs - watchEveryMs);
    lastMs = nowMs;
  };
  const timer = setInterval(look, watchEveryMs);
  return {
    longestMs: () => longestMs,
    end: () => {
      clearInterval(timer);
      look();
    },
  };
}
