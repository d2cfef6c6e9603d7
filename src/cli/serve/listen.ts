import type { composeServer } from '../../compose/server.ts';
import { type Config, options } from '../../config.ts';
import type { Connections, Site } from '../../http/site.ts';
import { errnoMessage, errnoOf } from '../../lib/errors.ts';
import { CommandError } from '../errors.ts';

/** A server that accepts requests. */
export interface Listening {
  readonly url: string;
  /** Stops accepting, finishes accepted requests and pending writes. Takes at most ten seconds. */
  stop(): Promise<void>;
}

// The API and the panel limit bodies themselves, with a message.
const bodyLimitBytes = Number.MAX_SAFE_INTEGER;
// Closes a connection that stalls while it sends or receives. Bun's timer ticks every four seconds.
const idleTimeoutSeconds = 10;
// Bun's idle timeout also runs while a response is made, and an image may take 20 s in the queue,
// 20 s for its worker to start and 20 s to render.
const longestResponseSeconds = 60;
const stopDeadlineMs = 8_000;
// Earlier than the deadline, so that a 503 still reaches the clients.
const renderDeadlineMs = 7_000;
// A client sends its next request on an open connection within this time.
const nextRequestMs = 100;
const longestDrainMs = 1000;

type Address = Pick<Config, 'host' | 'port'>;

/** Serves a site on the address. @throws CommandError when the address is not available */
export async function listen(
  address: Address,
  server: Pick<Awaited<ReturnType<typeof composeServer>>, 'site' | 'stopRendering' | 'close'>,
): Promise<Listening> {
  const http = open(address, server.site);
  return {
    url: http.url.href.replace(/\/$/, ''),
    stop: async () => {
      const renderDeadline = setTimeout(() => void server.stopRendering(), renderDeadlineMs);
      const deadline = setTimeout(() => http.stop(true), stopDeadlineMs);
      await drain(http, server.site);
      await http.stop();
      clearTimeout(renderDeadline);
      clearTimeout(deadline);
      await server.close();
    },
  };
}

/** Checks that the port can be opened. @throws CommandError when it cannot */
export function checkPortIsFree(address: Address): void {
  const noSite = () => Promise.reject(new Error('the port is closed again'));
  void open(address, noSite).stop(true);
}

/**
 * Responds with `Connection: close` until no request arrives any more, at most for a second. Stopping
 * closes idle connections, and a request under way on one would be lost.
 */
async function drain(http: Bun.Server<unknown>, site: Site): Promise<void> {
  let requests = 0;
  const connections = connectionsOf(http);
  http.reload({
    fetch: async (request) => {
      requests++;
      const response = await site(request, connections);
      response.headers.set('Connection', 'close');
      return response;
    },
  });
  const endMs = performance.now() + longestDrainMs;
  for (let isBusy = true; isBusy && performance.now() < endMs; ) {
    const [pending, before] = [http.pendingRequests, requests];
    await Bun.sleep(nextRequestMs);
    isBusy = pending > 0 || http.pendingRequests > 0 || requests > before;
  }
}

function open({ host, port }: Address, site: Site): Bun.Server<unknown> {
  try {
    const http: Bun.Server<unknown> = Bun.serve({
      hostname: host,
      port,
      fetch: (request) => site(request, connections),
      // Bun would answer a crash with source code.
      development: false,
      // Otherwise two servers could share a port, and each would answer half of the requests.
      reusePort: false,
      maxRequestBodySize: bodyLimitBytes,
      idleTimeout: idleTimeoutSeconds,
    });
    const connections = connectionsOf(http);
    return http;
  } catch (error) {
    const reason =
      errnoOf(error) === 'EADDRINUSE' ? 'another program uses it' : errnoMessage(error);
    throw new CommandError(
      `Cannot listen on ${host} port ${port}: ${reason}. Change ${options.port.name} or ${options.host.name}.`,
    );
  }
}

function connectionsOf(http: Bun.Server<unknown>): Connections {
  return {
    addressOf: (request) => http.requestIP(request)?.address,
    keepOpen: async (request, response) => {
      // A client that sends a body may stall; the idle timeout must close it.
      if (request.method !== 'GET' && request.method !== 'HEAD') return response;
      http.timeout(request, longestResponseSeconds);
      try {
        return await response;
      } finally {
        http.timeout(request, idleTimeoutSeconds);
      }
    },
  };
}
