import { lookup } from 'node:dns/promises';
import type { DomainStore } from '../../core/codes/ports.ts';
import { errnoOf, errorMessage } from '../../lib/errors.ts';

const maxWaitMs = 5000;

/**
 * Returns why an address does not lead to a server of this database, in words, or null if it does.
 * A number is kept in the database, and asked for at the address.
 */
export async function checkDomain(
  domains: Pick<DomainStore, 'withNonce'>,
  url: string,
  nowMs: number,
): Promise<string | null> {
  const { host, hostname } = new URL(url);
  try {
    await lookup(hostname.replace(/^\[|\]$/g, ''));
  } catch (error) {
    return `${hostname} has no address in the DNS (${errnoOf(error) ?? errorMessage(error)}).`;
  }
  const nonce = crypto.randomUUID();
  return domains.withNonce(nonce, nowMs, async () => {
    try {
      const response = await fetch(`${url}/healthz/domain?nonce=${nonce}`, {
        signal: AbortSignal.timeout(maxWaitMs),
        redirect: 'manual',
        keepalive: false,
      });
      const text = response.status === 200 ? (await response.text()).slice(0, nonce.length) : '';
      return text === nonce
        ? null
        : `Another server answers at ${host}, or the proxy there does not forward it to this server.`;
    } catch (error) {
      return reasonOf(host, error);
    }
  });
}

function reasonOf(host: string, error: unknown): string {
  const message = errorMessage(error);
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `${host} does not answer within ${maxWaitMs / 1000} seconds.`;
  return /cert|tls|ssl/i.test(`${errnoOf(error)} ${message}`)
    ? `The TLS certificate of ${host} is not valid (${message}).`
    : `Nothing answers at ${host} (${message}).`;
}
