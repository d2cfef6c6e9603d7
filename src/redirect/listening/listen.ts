import { type Config, options } from '../../config.ts';
import { CannotServe } from '../../core/errors.ts';
import { errnoMessage, errnoOf } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import { isSocketPath } from '../../lib/text/addresses.ts';
import type { ComposedServer } from '../compose.ts';
import type { Connections } from '../pass-on.ts';
import type { Site } from '../site.ts';
import { watchDescriptors } from './descriptors.ts';
import { asPrivateSocket } from './unix-socket.ts';

/** A server that accepts requests. */
export interface Listening {
  readonly url: string;
  /**
   * Finishes accepted requests, ends the app, stops accepting, and writes what is left, in this order.
   * Takes at most twelve seconds, and three more with `isCopy`. Short links are answered until the last one.
   *
   * @param isCopy whether there may be other copies, to which a proxy can send the requests
   */
  stop(isCopy?: boolean): Promise<void>;
}

interface ServedSite extends Pick<ComposedServer, 'stopRendering' | 'endApp' | 'close'> {
  readonly site: Site;
}

// The API and the panel limit bodies themselves, with a message.
const bodyLimitBytes = Number.MAX_SAFE_INTEGER;
// Closes a connection that stalls while it sends or receives. Bun's timer ticks every four seconds.
const idleTimeoutSeconds = 10;
// For clients that read slowly. The kernel accepts more when a third of its buffer of 4 MB is sent: 12 kB a second.
const downloadTimeoutSeconds = 120;
const stopDeadlineMs = 5_000;
// Earlier than the deadline, so that a 503 still reaches the clients.
const renderDeadlineMs = 4_000;
// A client sends its next request on an open connection within this time.
const nextRequestMs = 100;
const longestDrainMs = 1000;
// From the signal on. An app that hangs is killed then.
const appDeadlineMs = 9_000;
// Of requests that are being answered when the port is closed: large downloads.
const closedMs = 300;
const pollMs = 5;
// A proxy has asked for the health meanwhile, if it does so every other second.
const leaveProxyMs = 3000;

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Opens the port and serves a site.
 *
 * @throws CannotServe when the address is not available
 */
export function listen(address: Address, log: Logger, server: ServedSite): Listening {
  const listener = createListener(address, log, server.site);
  return {
    url: listener.url,
    stop: async (isCopy = false) => {
      const site = isCopy ? await leaveProxy(listener, server.site) : server.site;
      await stop(listener, { ...server, site });
    },
  };
}

type Listener = ReturnType<typeof createListener>;

// An attack may reach the limit again and again.
const limitLogIntervalMs = 60_000;

/**
 * Listens on an address.
 * At the limit of file descriptors it does not listen until some are free again.
 */
function createListener(address: Address, log: Logger, firstSite: Site) {
  let site = firstSite;
  const callSite: Site = (...request) => site(...request);
  let current = open(address, callSite);
  const servers = new Set([current]);
  let loggedMs = Number.NEGATIVE_INFINITY;
  const pendingRequests = () =>
    [...servers].reduce((total, { pendingRequests: pending }) => total + pending, 0);

  const endWatch = watchDescriptors((areFree) => {
    if (areFree) {
      current = open(address, callSite);
      servers.add(current);
      return;
    }
    // Also closes idle connections. Resolves when the last one has ended.
    const full = current;
    void full.stop().then(() => servers.delete(full));
    const nowMs = performance.now();
    if (nowMs - loggedMs < limitLogIntervalMs) return;
    loggedMs = nowMs;
    log.error(
      'the limit of open files is reached: new connections are refused until others close. Raise the limit ' +
        '(LimitNOFILE of the service, or ulimit -n)',
    );
  });

  return {
    url: isSocketPath(address.host) ? address.host : current.url.href.replace(/\/$/, ''),
    setSite: (next: Site) => {
      site = next;
    },
    pendingRequests,
    /** Stops listening and closes idle connections. */
    stopAccepting: () => {
      endWatch();
      void current.stop();
    },
    /** Closes all connections, also those that have sent no request or a part of one. */
    closeAll: async () => {
      endWatch();
      await Promise.all([...servers].map((server) => server.stop(true)));
    },
  };
}

/**
 * Keeps serving, but tells the health check of a proxy that this copy stops.
 * The kernel resets connections that are not accepted when the port is closed.
 *
 * @returns the site that does so
 */
async function leaveProxy(listener: Listener, site: Site): Promise<Site> {
  const leaving = withConnectionClose(async (request, connections) =>
    /\/healthz\/live(?:\?|$)/.test(request.url)
      ? Response.json({ status: 'stopping' }, { status: 503 })
      : site(request, connections),
  );
  listener.setSite(leaving);
  await Bun.sleep(leaveProxyMs);
  return leaving;
}

/** Tells clients to send their next request on another connection. */
function withConnectionClose(site: Site): Site {
  return async (...request) => {
    const response = await site(...request);
    response.headers.set('Connection', 'close');
    return response;
  };
}

/** The port closes last: without an app that has ended, nothing but short links is answered, which are few milliseconds. */
async function stop(listener: Listener, server: ServedSite): Promise<void> {
  const startMs = performance.now();
  const renderDeadline = setTimeout(server.stopRendering, renderDeadlineMs);
  await drain(listener, server.site, startMs + stopDeadlineMs);
  clearTimeout(renderDeadline);
  await server.endApp(startMs + appDeadlineMs - performance.now());
  await drain(listener, server.site, performance.now() + longestDrainMs);
  listener.stopAccepting();
  const endMs = performance.now() + closedMs;
  while (listener.pendingRequests() > 0 && performance.now() < endMs) await Bun.sleep(pollMs);
  await listener.closeAll();
  await server.close();
}

/**
 * Responds with `Connection: close` until no request arrives any more, for at most a second.
 * Also waits for the requests that were accepted before. Stopping closes idle connections, and a request under way on
 * one would be lost.
 */
async function drain(listener: Listener, site: Site, deadlineMs: number): Promise<void> {
  let requests = 0;
  let pending = 0;
  const closing = withConnectionClose(site);
  listener.setSite(async (...request) => {
    requests++;
    pending++;
    try {
      return await closing(...request);
    } finally {
      pending--;
    }
  });
  const endMs = performance.now() + longestDrainMs;
  for (let isBusy = true; isBusy; ) {
    const pendingBefore = listener.pendingRequests();
    const requestsBefore = requests;
    await Bun.sleep(nextRequestMs);
    const isAnyPending = pendingBefore > 0 || listener.pendingRequests() > 0;
    const nowMs = performance.now();
    isBusy =
      (nowMs < endMs && (isAnyPending || requests > requestsBefore)) ||
      (nowMs < deadlineMs && listener.pendingRequests() > pending);
  }
}

const noAddress = 'this machine has no such address, or the name cannot be resolved';
const listenErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it',
  EADDRNOTAVAIL: noAddress,
};

function open({ host, port }: Address, site: Site): Bun.Server<unknown> {
  // The types of Bun lack these for sockets.
  const limits: object = { maxRequestBodySize: bodyLimitBytes, idleTimeout: idleTimeoutSeconds };
  // Bun would answer a crash with source code.
  const settings = { development: false, ...limits } as const;
  let connections: Connections | undefined;
  const fetch = (request: Request) => site(request, connections);
  try {
    const http: Bun.Server<unknown> = isSocketPath(host)
      ? asPrivateSocket(() => Bun.serve({ unix: host, fetch, ...settings }))
      : // Otherwise two servers could share a port, and each would answer half of the requests.
        Bun.serve({ hostname: host, port, reusePort: false, fetch, ...settings });
    connections = connectionsOf(http);
    return http;
  } catch (error) {
    const errno = errnoOf(error);
    // Of a name that cannot be resolved, Bun reports the error number that was last set, whatever it is.
    const isName = !isSocketPath(host) && !/^[\d.]+$|:/.test(host) && errno !== 'EACCES';
    const reason = listenErrors[errno] ?? (isName ? noAddress : errnoMessage(error));
    throw new CannotServe(
      isSocketPath(host)
        ? `Cannot listen on ${host}: ${reason}. Change ${options.host.name}.`
        : `Cannot listen on ${host} port ${port}: ${reason}. Change ${options.port.name} or ${options.host.name}.`,
    );
  }
}

function connectionsOf(http: Bun.Server<unknown>): Connections {
  return {
    addressOf: (request) => http.requestIP(request)?.address,
    keepOpen: async (request, response) => {
      // Bun's idle timeout also runs while a response is made. 0 switches it off.
      http.timeout(request, 0);
      try {
        return await response;
      } finally {
        http.timeout(request, idleTimeoutSeconds);
      }
    },
    setUploading: (request) => http.timeout(request, 0),
    setDownloading: (request, isDownloading) =>
      http.timeout(request, isDownloading ? downloadTimeoutSeconds : idleTimeoutSeconds),
  };
}
