/** Returns whether a text can be a `Location` header that leads to a web page. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^[\x21-\x7e]{1,2048}$/.test(text)) return false;
  return /^https?:\/\//i.test(text) && url.hostname !== '' && url.username + url.password === '';
}

/** Returns whether an address has no user, query or fragment, so that paths can be appended to it. */
export function isBaseUrl({ protocol, hostname, username, password, search, hash }: URL): boolean {
  const isBare = username + password + search + hash === '';
  return /^https?:$/.test(protocol) && hostname !== '' && isBare;
}

/** Returns whether a text can be the issuer of an OpenID Connect provider. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search + url.hash + url.username + url.password !== '') return false;
  // Without TLS, anybody on the way could say who signs in.
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
}

/** Returns whether a text is a URL of PostgreSQL with host and database. */
export function isDatabaseUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return false;
  return url.hostname !== '' && /^\/[^/]+$/.test(url.pathname) && isPercentEncoded(url);
}

function isPercentEncoded({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}

// `sun_path` of Linux has 108 bytes, that of macOS 104, each with a final zero.
const maxSocketPathBytes = 103;

/** Returns whether the server listens on a Unix socket instead of a port. */
export function isSocketPath(host: string): boolean {
  return host.startsWith('/');
}

/**
 * Returns whether the text is a path of a socket, an IP address, a host name or `*`.
 * An IPv6 address may have a zone.
 */
export function isHost(text: string): boolean {
  if (isSocketPath(text))
    return Buffer.byteLength(text) <= maxSocketPathBytes && !text.endsWith('/');
  const host = text === '*' ? '0.0.0.0' : bracketed(text.replace(/%\w+$/, ''));
  return /^(?:[\w.-]+|\[.*\])$/.test(host) && URL.canParse(`http://${host}`);
}

/** Returns an IPv6 address as URLs write it, any other host unchanged. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** Returns whether the text is an IP address or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...rest] = text.split('/');
  // Loaded on demand, because it takes milliseconds of the start.
  const { isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  const maxBits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : -1;
  return rest.length === 0 && /^\d+$/.test(bits) && Number(bits) <= maxBits;
}
