import { BlockList, isIP } from 'node:net';

/** Returns the IP address of the client that sent a request. */
export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

/**
 * Creates a function that returns the client's address behind proxies: the right-most address of
 * `X-Forwarded-For` and the peer that is not a trusted proxy. Addresses left of it can be forged.
 *
 * @param trusted addresses (`10.0.0.1`) or networks (`10.0.0.0/8`, `fd00::/8`) of the proxies
 * @param isSocket whether only a proxy of this machine can connect, at a Unix socket, which has no addresses
 * @throws RangeError with the first invalid address or network as its message
 */
export function createClientAddress(trusted: readonly string[], isSocket = false): ClientAddress {
  const proxies = new BlockList();
  for (const network of trusted) addNetwork(proxies, network);
  const isProxy = (address: string) =>
    (isSocket && address === '') ||
    (isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'));

  return (peer, forwardedFor) => {
    const hops = (forwardedFor ?? '').split(',').map((hop) => normalizeAddress(hop.trim()));
    let client = normalizeAddress(peer);
    while (isProxy(client)) {
      const next = hops.pop();
      // The proxy sent no address, so its own is returned.
      if (next === undefined || isIP(next) === 0) return client;
      client = next;
    }
    return client;
  };
}

/** Returns the network of a client: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [withoutZone = ''] = address.split('%', 1);
  const [head = '', tail] = withoutZone.split('::', 2);
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
  const maxPrefix = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? maxPrefix : Number(bits);
  const isValid = version !== 0 && rest.length === 0 && /^\d+$/.test(bits ?? '0');
  if (!isValid || prefix > maxPrefix) throw new RangeError(network);
  list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
}

/** Returns an address without brackets and port, and an IPv4-mapped one as IPv4. */
function normalizeAddress(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  const bare = bracketed ?? (/^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  return mapped ?? bare;
}
