import { parse } from 'tldts';

/** Returns whether a host is a domain that can be registered, or is below one, by the Public Suffix List. */
export function isRegistrable(host: string): boolean {
  const { isIcann, domain } = parse(host.toLowerCase(), { extractHostname: false });
  return isIcann === true && domain !== null;
}
