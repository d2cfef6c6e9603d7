import type { composeServer } from '../../compose/server.ts';
import { type Config, options } from '../../config.ts';
import type { Connections, Site } from '../../http/site.ts';
import { errorMessage } from '../../lib/errors.ts';
import { CommandError } from '../exit-codes.ts';

/** A server that accepts requests. */
export interface Listening {
  readonly url: string;
  /** Accepts no more, answers what was accepted, writes what is left. Takes at most ten seconds. */
  stop(): Promise<void>;
}

// API and panel bound what they read in words of their own; Bun would answer without any. A body that
// nobody reads is not taken in.
const bodyLimitBytes = Number.MAX_SAFE_INTEGER;
// Cuts a client that stalls, while it sends as well as while it reads. Bun's clock ticks every four seconds, so
// it may take eight to twelve.
const idleTimeoutSeconds = 10;
// Bun also times out a request without a body while its answer is being made. A picture waits at most twenty
// seconds each for its turn, for its worker's start and for its worker.
const longestAnswerSeconds = 60;
const stopDeadlineMs = 8_000;
// Whoever still waits for a picture then is told to come again, while there is a connection to tell it on.
const drawingDeadlineMs = 7_000;
// A connection that was answered sends its next request in less.
const nextRequestMs = 100;
// New connections may come without end, and a client may stall.
const longestGoodbyeMs = 1000;

const serveSettings = { host: options.host.name, port: options.port.name };

/**
 * Opens the port.
 *
 * @param settings what to change where it cannot be opened
 * @throws CommandError when the address cannot be listened on
 */
export async function listen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  server: Pick<Awaited<ReturnType<typeof composeServer>>, 'site' | 'stopDrawing' | 'close'>,
  settings: Address['settings'] = serveSettings,
): Promise<Listening> {
  const http = open({ host, port, settings }, server.site);
  return {
    url: http.url.href.replace(/\/$/, ''),
    stop: async () => {
      const drawingDeadline = setTimeout(() => void server.stopDrawing(), drawingDeadlineMs);
      const deadline = setTimeout(() => http.stop(true), stopDeadlineMs);
      await sayGoodbye(http, server.site);
      await http.stop();
      clearTimeout(drawingDeadline);
      clearTimeout(deadline);
      await server.close();
    },
  };
}

/**
 * Opens the port for a moment in which nobody is answered, to find out whether it can be opened.
 *
 * @throws CommandError when the address cannot be listened on
 */
export function refuseTakenPort({ host, port }: Pick<Config, 'host' | 'port'>): void {
  const nobody = () => Promise.reject(new Error('closed before anybody could ask'));
  void open({ host, port, settings: serveSettings }, nobody).stop(true);
}

/**
 * Answers go on, and each says that it is the last one on its connection. Stopping closes connections
 * that wait for their next request, which may be on its way: resolves when none can be, or after a second.
 */
async function sayGoodbye(http: Bun.Server<unknown>, site: Site): Promise<void> {
  let asked = 0;
  const connections = connectionsOf(http);
  http.reload({
    fetch: async (request) => {
      asked++;
      const response = await site(request, connections);
      response.headers.set('Connection', 'close');
      return response;
    },
  });
  const endMs = performance.now() + longestGoodbyeMs;
  for (let busy = true; busy && performance.now() < endMs; ) {
    const [pending, askedBefore] = [http.pendingRequests, asked];
    await Bun.sleep(nextRequestMs);
    busy = pending > 0 || http.pendingRequests > 0 || asked > askedBefore;
  }
}

/** An address, and the settings that it comes from. */
interface Address extends Pick<Config, 'host' | 'port'> {
  readonly settings: { readonly host: string; readonly port: string };
}

function open({ host, port, settings }: Address, site: Site) {
  try {
    const http: Bun.Server<unknown> = Bun.serve({
      hostname: host,
      port,
      fetch: (request) => site(request, connections),
      // Bun would answer a crash with the source around it.
      development: false,
      // Otherwise two servers share a port, and each answers the other's codes with 404.
      reusePort: false,
      maxRequestBodySize: bodyLimitBytes,
      idleTimeout: idleTimeoutSeconds,
    });
    const connections = connectionsOf(http);
    return http;
  } catch (error) {
    throw new CommandError(`cannot listen on ${host} port ${port}: ${whyNot(error, settings)}`);
  }
}

/** Why an address cannot be listened on, with the setting to change. */
function whyNot(error: unknown, { host, port }: Address['settings']): string {
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'EADDRINUSE':
      return `something else listens there already. Choose another ${port}, or end the other.`;
    case 'EACCES':
      return `this user may not use the port. Choose a ${port} of 1024 or more.`;
    case 'EADDRNOTAVAIL':
      return `no network of this machine has the address. Change ${host}.`;
    // Bun says the latter of a name that stands for no address.
    case 'ENOTFOUND':
    case 'EINVAL':
      return `no address is known by this name. Change ${host}.`;
    default:
      return `${errorMessage(error)}. See ${host} and ${port}.`;
  }
}

function connectionsOf(http: Bun.Server<unknown>): Connections {
  return {
    addressOf: (request) => http.requestIP(request)?.address,
    keepOpen: async (request, response) => {
      // Whoever sends a body may stall, and is waited for when it has come.
      if (request.method !== 'GET' && request.method !== 'HEAD') return response;
      http.timeout(request, longestAnswerSeconds);
      try {
        return await response;
      } finally {
        http.timeout(request, idleTimeoutSeconds);
      }
    },
  };
}
