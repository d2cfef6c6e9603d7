import { domainToUnicode } from 'node:url';
import names from 'tlds';

// A list without the rules below the top level: those of the Public Suffix List take half a megabyte of the executable.
const topLevelDomains: ReadonlySet<string> = new Set(names);

/** Returns whether a host is below a top-level domain, in either form of an international one. */
export function isBelowTopLevelDomain(host: string): boolean {
  const labels = host.toLowerCase().split('.');
  const last = labels.at(-1) ?? '';
  return (
    labels.length > 1 && topLevelDomains.has(last.startsWith('xn--') ? domainToUnicode(last) : last)
  );
}
