import { BlockList, isIP } from 'node:net';

/** Finds the address a request comes from. */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

/**
 * The client's address behind proxies: of the peer and of what `X-Forwarded-For` says in front of
 * it, the right-most that is no trusted proxy. What stands further left was written by the client
 * itself and may be anything.
 *
 * @param trusted addresses (`10.0.0.1`) or networks (`10.0.0.0/8`, `fd00::/8`) of the proxies
 * @throws RangeError naming the first that is neither
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = new BlockList();
  for (const network of trusted) addNetwork(proxies, network);
  const isProxy = (address: string) =>
    isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (peer, forwardedFor) => {
    const hops = (forwardedFor ?? '').split(',').map((hop) => plainAddress(hop.trim()));
    let client = plainAddress(peer);
    while (isProxy(client)) {
      const next = hops.pop();
      // A proxy that names no address leaves itself as the best that is known.
      if (next === undefined || isIP(next) === 0) return client;
      client = next;
    }
    return client;
  };
}

/**
 * What counts as one origin of guesses: an IPv4 address, or the /64 of an IPv6 address, which a
 * single customer commonly holds whole.
 */
export function originOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits, ...rest] = network.split('/');
  const version = isIP(address);
  const widest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? widest : Number(bits);
  const known = version !== 0 && rest.length === 0 && /^\d+$/.test(bits ?? '0');
  if (!known || prefix > widest) throw new RangeError(network);
  list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
}

/** Without brackets, port, or the IPv6 clothing of an IPv4 address. */
function plainAddress(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  const bare = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  return mapped ?? bare;
}
