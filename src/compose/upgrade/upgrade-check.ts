import { aliasDomains, type Config } from '../../config.ts';
import type { DomainStore } from '../../core/codes/ports.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { unservedPrefixes } from '../../core/codes/urls/short-url.ts';
import { DatabaseUnusable, StoreUnavailable } from '../../core/errors.ts';
import type { ServerStorage, ServerVersion, StorageReader } from '../../core/storage.ts';
import { describeUpgrade, version } from '../../lib/build/version.ts';
import type { Logger } from '../../lib/logger.ts';
import { rendererIdentity } from '../../render/identity.ts';
import { realClock } from '../runtime.ts';
import type { VerificationDeps } from './verify-images.ts';

export const thisServerVersion: ServerVersion = { version, renderer: rendererIdentity };

/**
 * Records that this version serves the database from now on, its short URL, and the aliases as domains.
 * A full disk is only logged.
 *
 * @param isVerified whether the images of this version are known to be unchanged
 */
export async function recordThisServer(
  storage: Pick<ServerStorage, 'recordServerVersion'>,
  domains: Pick<DomainStore, 'serve'>,
  config: ShortUrls,
  isVerified: boolean,
  log: Logger,
): Promise<void> {
  const nowMs = realClock.nowMs();
  try {
    if (isVerified) await storage.recordServerVersion(thisServerVersion, nowMs);
    await domains.serve(config.shortUrl, aliasDomains(config), nowMs);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    log.warn('the database cannot be written', { cause: String(error.cause) });
  }
}

/**
 * Checks a database before a server writes to it.
 * Its short-URL prefixes and, with another renderer than before, a sample of its images. Only reads, so that the
 * previous version can continue.
 *
 * @returns false if no image could be rendered, so that the next start must check again
 * @throws DatabaseUnusable when images changed, or a short-URL prefix of existing codes is missing from the settings
 */
export async function checkBeforeServing(
  reader: StorageReader,
  config: ShortUrls,
  deps: VerificationDeps,
): Promise<boolean> {
  await requirePrefixes(reader, config);
  const last = await reader.lastServerVersion();
  if (last?.renderer === thisServerVersion.renderer || !(await reader.hasCodes())) {
    if (last !== null && last.version !== version) deps.log.info(describeUpgrade(last.version));
    return true;
  }
  // Loaded on demand, because most starts do not follow an upgrade.
  const { verifySampleImages } = await import('./verify-images.ts');
  return verifySampleImages(reader, last, deps);
}

/**
 * Checks that all short-URL prefixes of existing codes are configured.
 *
 * @throws DatabaseUnusable when one is missing: its printed codes would stop redirecting
 */
export async function requirePrefixes(
  reader: Pick<StorageReader, 'usedShortUrlPrefixes'>,
  config: ShortUrls,
): Promise<void> {
  const problem = prefixProblem(await reader.usedShortUrlPrefixes(), config);
  if (problem !== null)
    throw new DatabaseUnusable(`C${problem.message.slice(1)}. ${problem.advice}`);
}

type ShortUrls = Pick<Config, 'shortUrl' | 'shortUrlAliases' | 'publicUrl'>;

/**
 * Returns which short-URL prefixes of existing codes are missing from the settings, with what to do.
 * Or null.
 */
export function prefixProblem(used: readonly string[], config: ShortUrls) {
  const { shortUrl, shortUrlAliases, publicUrl } = config;
  const missing = unservedPrefixes(used, [shortUrl, ...shortUrlAliases]);
  if (missing.length === 0) return null;
  // Without a short URL of its own, the public URL is printed.
  const setting = shortUrl === publicUrl ? 'WAYMARK_PUBLIC_URL' : 'WAYMARK_SHORT_URL';
  const isTrial = missing.every((prefix) => reachOf(new URL(prefix)) === 'this machine');
  return {
    message: `codes were printed with short links at ${missing.join(', ')}, but ${setting} is ${shortUrl}`,
    advice:
      'If the old address still points to this server, name it in WAYMARK_SHORT_URL_ALIASES; otherwise set ' +
      `${setting} back.` +
      (isTrial
        ? ` If they were only a trial, "waymark domain remove ${missing[0]} --force" drops the address.`
        : ''),
  };
}

/**
 * Checks that the server serves the short links of new codes.
 *
 * @throws DatabaseUnusable when the server that started last has other short URLs
 */
export async function requireServed(
  reader: Pick<StorageReader, 'servedPrefixes'>,
  { shortUrl }: Pick<Config, 'shortUrl'>,
): Promise<void> {
  const served = await reader.servedPrefixes();
  if (served.length === 0 || unservedPrefixes([shortUrl], served).length === 0) return;
  throw new DatabaseUnusable(
    `New codes would get short links at ${shortUrl}, but the server was started with ${served.join(', ')}. ` +
      'Set WAYMARK_SHORT_URL or WAYMARK_PUBLIC_URL as the server has it, or restart the server with the new one.',
  );
}
