import type { composeServer } from '../compose.ts';
import type { Config } from '../config.ts';
import type { Site } from '../http/site.ts';
import { Refused } from './refusals.ts';

/** A server that accepts requests. */
export interface Listening {
  readonly url: string;
  /** Accepts no more, answers what was accepted, writes what is left. Takes at most ten seconds. */
  stop(): Promise<void>;
}

// API and panel bound what they read in words of their own; Bun would answer without any. A body that
// nobody reads is not taken in.
const bodyLimitBytes = Number.MAX_SAFE_INTEGER;
// Cuts a client that stalls, while it sends as well as while it reads.
const idleTimeoutSeconds = 10;
const stopDeadlineMs = 8_000;
// Long enough for every busy connection to be answered once more.
const goodbyeMs = 100;

/**
 * Opens the port.
 *
 * @throws Refused when the address cannot be listened on
 */
export async function listen(
  { host, port }: Pick<Config, 'host' | 'port'>,
  server: Pick<Awaited<ReturnType<typeof composeServer>>, 'site' | 'close'>,
): Promise<Listening> {
  const http = open(host, port, server.site);
  return {
    url: http.url.href.replace(/\/$/, ''),
    stop: async () => {
      const deadline = setTimeout(() => http.stop(true), stopDeadlineMs);
      sayGoodbye(http, server.site);
      await Bun.sleep(goodbyeMs);
      await http.stop();
      clearTimeout(deadline);
      await server.close();
    },
  };
}

/**
 * Answers go on, and each says that it is the last one on its connection. Stopping closes connections
 * that wait for their next request, which may be on its way.
 */
function sayGoodbye(http: Bun.Server<unknown>, site: Site): void {
  http.reload({
    fetch: async (request, server) => {
      const response = await site(request, () => server.requestIP(request)?.address);
      response.headers.set('Connection', 'close');
      return response;
    },
  });
}

function open(hostname: string, port: number, site: Site) {
  try {
    return Bun.serve({
      hostname,
      port,
      fetch: (request, server) => site(request, () => server.requestIP(request)?.address),
      // Bun would answer a crash with the source around it.
      development: false,
      // Otherwise two servers share a port, and each answers the other's codes with 404.
      reusePort: false,
      maxRequestBodySize: bodyLimitBytes,
      idleTimeout: idleTimeoutSeconds,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refused(`cannot listen on ${hostname} port ${port}: ${reason}`);
  }
}
