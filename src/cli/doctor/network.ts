import type { Config } from '../../config.ts';
import { errorMessage } from '../../lib/errors.ts';
import { type Check, ok, warning } from './check.ts';

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

const loopbackHost = /^(?:(?:.*\.)?localhost|127\..*|0\.0\.0\.0|\[::1?\])$/;
const privateHosts = [
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./,
  /^\[f(?:[cd]|e[89ab])/,
  /\.(?:local|lan|home|internal|home\.arpa)$/,
  // A name without a domain.
  /^[^.:]+$/,
];
const ipAddress = /^[\d.]+$|^\[/;

function addressProblem({ protocol, hostname, port }: URL): string | null {
  if (loopbackHost.test(hostname)) return 'only this machine can open it';
  if (privateHosts.some((pattern) => pattern.test(hostname)))
    return 'only phones in the local network can open it';
  if (protocol === 'http:') return 'phones warn about pages without https';
  if (port !== '') return `many guest networks block port ${port}`;
  if (ipAddress.test(hostname)) return 'printed codes stop working when the IP address changes';
  return null;
}

const timeoutMs = 3000;

/** Checks that the running server responds at its public URL. */
export async function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Check> {
  const url = `${publicUrl}/healthz`;
  const advice = `Check that the proxy forwards ${publicUrl} to the server, and read the server's log.`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.status === 200) return ok('public URL', `${url} responds with 200`);
    const body = (await response.text()).slice(0, 300);
    return warning('public URL', `${url} responds with ${response.status}: ${body}`, advice);
  } catch (error) {
    return warning('public URL', `${url} doesn't respond: ${errorMessage(error)}`, advice);
  }
}
