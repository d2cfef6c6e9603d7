import { BlockList } from 'node:net';
import type { Config } from '../../config.ts';
import { errorMessage } from '../../lib/errors.ts';
import { type Check, fine, warning } from './check.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');
// "All addresses" to whoever listens; whoever asks there comes to their own machine.
loopback.addAddress('0.0.0.0', 'ipv4');
loopback.addAddress('::', 'ipv6');

const privateNetworks = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4');
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** Whether phones can follow what is printed: the short URL goes onto paper and cannot be mended there. */
export function checkAddress({ shortUrl, host }: Pick<Config, 'shortUrl' | 'host'>): Check {
  const name = 'address';
  const { protocol, hostname, port } = new URL(shortUrl);
  const where = reachOf(hostname);
  const set = 'Set WAYMARK_SHORT_URL (or WAYMARK_PUBLIC_URL) to the final address before printing';
  if (where === 'this machine')
    return warning(
      name,
      `short links begin with ${shortUrl}, which only this machine can follow`,
      `${set}, such as https://qr.example.com.`,
    );
  if (where === 'the local network')
    return warning(
      name,
      `short links begin with ${shortUrl}, which only phones in the local network can follow`,
      `${set}, unless that is what you want.`,
    );
  if (protocol === 'http:')
    return warning(
      name,
      `short links begin with ${shortUrl}, and phones warn of pages without https`,
      `Put a proxy with a certificate in front. ${set}.`,
    );
  if (port !== '')
    return warning(
      name,
      `short links name the port ${port}, which many guest networks do not let through`,
      `${set}, without a port.`,
    );
  if (where === 'anywhere by number')
    return warning(
      name,
      `short links begin with the number ${hostname}; printed codes die when it changes`,
      `${set}, with a name instead of a number.`,
    );
  return fine(name, `short links begin with ${shortUrl}; the server listens on ${host}`);
}

type Reach = 'this machine' | 'the local network' | 'anywhere by number' | 'anywhere';

function reachOf(hostname: string): Reach {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const isNumber = family === 'ipv6' || /^[\d.]+$/.test(address);
  if (address === 'localhost' || address.endsWith('.localhost')) return 'this machine';
  if (isNumber && loopback.check(address, family)) return 'this machine';
  if (isNumber && privateNetworks.check(address, family)) return 'the local network';
  if (/\.(local|lan|home|internal|home\.arpa)$/.test(address) || !/[.:]/.test(address))
    return 'the local network';
  return isNumber ? 'anywhere by number' : 'anywhere';
}

const patienceMs = 3000;

/**
 * Whether a server answers where clients are told to find it. Asked only while one runs on the data
 * folder.
 */
export async function checkAnswer({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Check> {
  const name = 'answer';
  const url = `${publicUrl}/healthz`;
  const advice = `See that the proxy in front passes ${publicUrl} on to the server, and read its log.`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
    const body = await response.text();
    if (response.status === 200) return fine(name, `${url} says that all is well`);
    return warning(name, `${url} answers ${response.status}: ${body.slice(0, 300)}`, advice);
  } catch (error) {
    const distrust = distrustOf(error);
    if (distrust === null)
      return warning(name, `${url} does not answer from here: ${errorMessage(error)}`, advice);
    return warning(
      name,
      `the certificate of ${publicUrl} is not trusted here: ${distrust}`,
      'Phones that do not trust it open no code: give the proxy one that is in force for this name, with ' +
        'its chain. Name an authority of your own in NODE_EXTRA_CA_CERTS.',
    );
  }
}

/** Why a certificate is refused, by the names that OpenSSL and Node have for it; null for any other error. */
function distrustOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'it is for another name';
  return /_CERT|CERT_|_SIGNATURE/.test(code) ? errorMessage(error) : null;
}
