import { lookup } from 'node:dns/promises';
import type { Config } from '../../config.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { isDeadline } from '../../lib/deadline.ts';
import { errnoOf, errorMessage } from '../../lib/errors.ts';
import { broken, type Check, ok, warning } from './check.ts';
import { ask, type LocalServer, localServer, parseHealth } from './health.ts';

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

/** Asks the health check of a server. Returns null for a response that Waymark does not give. */
async function askHealth(baseUrl: string, init: LocalServer['init'] = {}) {
  const { text } = await ask(`${baseUrl}/healthz`, init);
  try {
    return parseHealth(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Reports what the health check of the server on this machine says; nothing if there is no server. */
export async function checkServer(address: Pick<Config, 'host' | 'port'>): Promise<Check[]> {
  const name = 'server';
  const { origin, name: url, init } = localServer(address);
  try {
    const health = await askHealth(origin, init);
    if (health === null) return [];
    const advice = `The server on ${url} reports it at /healthz; its log says more.`;
    const checks = [
      ...health.problems.map((problem) => broken(name, problem, advice)),
      ...health.warnings.map((text) => warning(name, text, advice)),
    ];
    return checks.length > 0 ? checks : [ok(name, `${url} responds and reports no problems`)];
  } catch (error) {
    if (!isDeadline(error)) return [];
    const problem = `${url} doesn't respond: ${errorMessage(error)}`;
    return [broken(name, problem, 'See whether this machine is overloaded, and read the log.')];
  }
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

/**
 * Follows a short link from outside, at the short URL and each alias.
 * It has to arrive at the server on this machine, which must answer the same, and count the request. HEAD requests are
 * not counted as scans. Of several copies on PostgreSQL, this one must count one of some requests in a row.
 *
 * @param code an active code, or null if there is none
 */
export async function checkShortLinks(
  config: LinkSettings & Pick<Config, 'shortUrl' | 'shortUrlAliases'>,
  code: string | null,
): Promise<Check[]> {
  const path = code ?? unknownCode;
  const { origin, init } = localServer(config);
  const local = await follow(`${origin}/${path}`, path, init).catch(() => null);
  if (local === null) return [];
  const checks: Check[] = [];
  // One after the other, because each counts.
  for (const prefix of new Set([config.shortUrl, ...config.shortUrlAliases]))
    checks.push(await checkShortLink(config, `${prefix}/${path}`, path, local));
  return checks;
}

type LinkSettings = Pick<Config, 'host' | 'port' | 'databaseUrl'>;

// Any code that does not exist is answered and counted as such.
const unknownCode = '7h3k9m2x';
const maxHops = 5;
// A proxy gives each of as many copies one of them, if it takes them in turn.
const requestsToCopies = 10;

async function checkShortLink(
  config: LinkSettings,
  link: string,
  path: string,
  local: Arrival,
): Promise<Check> {
  const name = 'short link';
  const { hostname, origin } = new URL(link);
  const advice =
    `Printed codes lead to ${origin}. Check its DNS entry, its certificate and that the proxy forwards it to this server. ` +
    'If only this machine cannot reach it, try it with a phone in another network.';
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return broken(name, `${hostname} cannot be resolved (${errnoOf(error)})`, advice);
  }
  const server = localServer(config);
  try {
    const before = await countArrivals(server);
    for (let left = config.databaseUrl === null ? 1 : requestsToCopies; ; left--) {
      const outside = await follow(link, path);
      const isSame = outside.status === local.status && outside.location === local.location;
      if (isSame && (await countArrivals(server)) > before)
        return ok(name, `${link} arrives at this server`);
      if (isSame && left > 1) continue;
      const to = outside.location === null ? '' : ` to ${outside.location}`;
      const answer = `${outside.status}${to}`;
      return isSame && config.databaseUrl !== null
        ? warning(
            name,
            `${link} answers ${answer} as this server does, but ${requestsToCopies} requests in a row did not arrive here`,
            `Another copy on the same database may have answered them all. If there is none: ${advice}`,
          )
        : broken(name, `${link} arrives at another server, which answers ${answer}`, advice);
    }
  } catch (error) {
    return broken(name, `${link} doesn't respond: ${errorMessage(error)}`, advice);
  }
}

interface Arrival {
  readonly status: number;
  readonly location: string | null;
}

/** Asks for a short link. Follows redirects to the same code elsewhere, such as from http to https. */
async function follow(
  link: string,
  path: string,
  init: LocalServer['init'] = {},
): Promise<Arrival> {
  let url = link;
  for (let hops = 0; ; hops++) {
    const { status, headers } = await ask(url, { ...init, method: 'HEAD', redirect: 'manual' });
    const location = headers.get('location');
    const next = location === null ? null : URL.parse(location, url);
    const isOnTheWay = next?.pathname.toLowerCase().endsWith(`/${path.toLowerCase()}`) === true;
    if (next === null || !isOnTheWay || hops === maxHops) return { status, location };
    url = next.href;
  }
}

/** Returns the number of requests for short links that a server has answered. */
async function countArrivals({ origin, init }: LocalServer): Promise<number> {
  const { text } = await ask(`${origin}/metrics`, init);
  const samples = text
    .split('\n')
    .filter((line) => line.startsWith('waymark_http_requests_total{route="short_link",'));
  return samples.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
}
