import { lookup } from 'node:dns/promises';
import { type Config, mainPrefixesOf, servedPrefixesOf } from '../config.ts';
import type { DomainStore } from '../core/codes/ports.ts';
import { createSearchTerm, type SearchTerm } from '../core/codes/urls/short-url.ts';
import { createDomainChecks, type DomainProblem } from '../core/domains/checks.ts';
import { createDomains } from '../core/domains/domains.ts';
import { type BackgroundRuns, createBackgroundRuns } from '../core/scans/background-results.ts';
import { errnoOf, errorMessage } from '../lib/errors.ts';
import { pause } from '../lib/event-loop.ts';
import { realClock } from './runtime.ts';

const maxWaitMs = 5000;

/** Creates what manages the domains of a server, for its app or a command. */
export function composeDomains(
  config: Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>,
  store: DomainStore,
  runs: BackgroundRuns = createBackgroundRuns(realClock),
) {
  const checks = createDomainChecks({ check: (url) => checkDomain(store, url), clock: realClock });
  const mainUrls = [config.shortUrl, ...mainPrefixesOf(config)] as const;
  const { shortUrlAliases: formerUrls } = config;
  return createDomains({ store, checks, runs, mainUrls, formerUrls, clock: realClock });
}

/** Creates what reads the search of a list, in which a short link of any domain may stand. */
export function composeSearchTerm(
  config: Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>,
  domains: Pick<DomainStore, 'all'>,
): SearchTerm {
  return createSearchTerm({ prefixes: servedPrefixesOf(config), domains });
}

/**
 * Returns why an address does not lead to a server of this database, or null if it does.
 * A number is kept in the database, and asked for at the address. Takes ten seconds at most.
 */
export async function checkDomain(
  domains: Pick<DomainStore, 'withNonce'>,
  url: string,
): Promise<DomainProblem | null> {
  const { host, hostname } = new URL(url);
  const slow = { kind: 'slow answer', host, seconds: maxWaitMs / 1000 } as const;
  try {
    // The system asks its name servers for longer.
    const found = lookup(hostname.replace(/^\[|\]$/g, ''));
    found.catch(() => {});
    if ((await Promise.race([found, pause(maxWaitMs)])) === undefined) return slow;
  } catch (error) {
    return { kind: 'no address', hostname, cause: causeOf(error) };
  }
  const nonce = crypto.randomUUID();
  return domains.withNonce(nonce, realClock.nowMs(), async () => {
    try {
      const response = await fetch(`${url}/healthz/domain?nonce=${nonce}`, {
        signal: AbortSignal.timeout(maxWaitMs),
        redirect: 'manual',
        keepalive: false,
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return { kind: 'other server', host };
      }
      return (await startsWith(response, nonce)) ? null : { kind: 'other server', host };
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') return slow;
      const cause = causeOf(error);
      return /cert|tls|ssl/i.test(`${cause} ${errorMessage(error)}`)
        ? { kind: 'bad certificate', host, cause }
        : { kind: 'no answer', host, cause };
    }
  });
}

/** Returns the code of an error of the system, which people look up, or its message. */
function causeOf(error: unknown): string {
  return errnoOf(error) || errorMessage(error);
}

/** Reads no more of a response than the text that it should begin with. */
async function startsWith({ body }: Response, text: string): Promise<boolean> {
  let read = '';
  const decoder = new TextDecoder();
  // Leaving the loop ends the connection.
  for await (const chunk of body ?? []) {
    read += decoder.decode(chunk, { stream: true });
    if (read.length >= text.length) break;
  }
  return read.slice(0, text.length) === text;
}
