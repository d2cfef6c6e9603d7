import type { Config } from '../../config.ts';
import { reachOf } from '../../core/codes/host.ts';
import { errorMessage } from '../../lib/errors.ts';
import { broken, type Check, ok, warning } from './check.ts';
import { localOrigin } from './health.ts';

/** Checks that phones can open the short URL, which cannot be changed on paper. */
export function checkAddress({ shortUrl }: Pick<Config, 'shortUrl'>): Check {
  const problem = addressProblem(new URL(shortUrl));
  const message = `short links begin with ${shortUrl}`;
  if (problem === null) return ok('address', message);
  return warning(
    'address',
    `${message}: ${problem}`,
    'Set WAYMARK_SHORT_URL (or WAYMARK_PUBLIC_URL) to the final address before you print codes, such ' +
      'as https://qr.example.com.',
  );
}

const ipAddress = /^[\d.]+$|^\[/;

function addressProblem(url: URL): string | null {
  const { protocol, hostname, port } = url;
  const reach = reachOf(url);
  if (reach === 'this machine') return 'only this machine can open it';
  if (reach === 'private network') return 'only phones in the local network can open it';
  if (protocol === 'http:') return 'phones warn about pages without https';
  if (port !== '') return `many guest networks block port ${port}`;
  if (ipAddress.test(hostname)) return 'printed codes stop working when the IP address changes';
  return null;
}

const timeoutMs = 3000;

/** The response of the health check. */
interface HealthResponse {
  readonly status: 'ok' | 'degraded';
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks the health check of a server. Returns null for a response that Waymark does not give. */
async function askHealth(baseUrl: string): Promise<HealthResponse | null> {
  const response = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(timeoutMs) });
  const body: unknown = await response.json().catch(() => null);
  const isHealth =
    typeof body === 'object' && body !== null && 'problems' in body && 'warnings' in body;
  // The cast is safe: only Waymark responds with these fields.
  return isHealth ? (body as HealthResponse) : null;
}

/** Reports what the health check of the server on this machine says; nothing if there is no server. */
export async function checkServer(address: Pick<Config, 'host' | 'port'>): Promise<Check[]> {
  const name = 'server';
  const url = localOrigin(address);
  const health = await askHealth(url).catch(() => null);
  if (health === null) return [];
  const advice = `The server on ${url} reports it at /healthz; its log says more.`;
  const checks = [
    ...health.problems.map((problem) => broken(name, problem, advice)),
    ...health.warnings.map((text) => warning(name, text, advice)),
  ];
  return checks.length > 0 ? checks : [ok(name, `${url} responds and reports no problems`)];
}

/** Checks that the running server responds at its public URL. */
export async function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Check> {
  const name = 'public URL';
  const url = `${publicUrl}/healthz`;
  const advice = `Check that the proxy forwards ${publicUrl} to the server, and read the server's log.`;
  try {
    const health = await askHealth(publicUrl);
    return health === null
      ? warning(name, `${url} doesn't respond as Waymark does`, advice)
      : ok(name, `${url} responds`);
  } catch (error) {
    return warning(name, `${url} doesn't respond: ${errorMessage(error)}`, advice);
  }
}
