import type { RandomBytes } from '../../ports.ts';
import { newToken } from '../session.ts';
import type { FlowSecrets } from './provider.ts';

/** How long a sign-in with a provider may take. */
export const flowLifetimeMs = 10 * 60_000;

/** What a sign-in with a provider is for. `again`: for a form whose session has ended. */
const purposes = ['sign-in', 'again', 'connect', 'confirm'] as const;
export type FlowPurpose = (typeof purposes)[number];

/** A sign-in with a provider that has begun. */
export interface Flow {
  readonly purpose: FlowPurpose;
  /** Path to go to afterwards. */
  readonly next: string;
}

/**
 * Begins a sign-in.
 * All that is needed to end it is in a cookie of the browser, so that another copy of the server can: state, nonce and
 * verifier are derived from it, so it cannot be changed.
 */
export function beginFlow(flow: Flow, randomBytes: RandomBytes, nowMs: number) {
  const next = Buffer.from(flow.next).toString('base64url');
  const cookie = [String(nowMs), newToken(randomBytes), flow.purpose, next].join('.');
  return { cookie, secrets: secretsOf(cookie) };
}

/** Returns the sign-in of a cookie, or null when it is none, or began too long ago. */
export function readFlow(
  cookie: string | null,
  nowMs: number,
): (Flow & { readonly secrets: FlowSecrets }) | null {
  const [atMs = '', token = '', purposeText = '', next = ''] = cookie?.split('.') ?? [];
  const purpose = purposes.find((one) => one === purposeText);
  const ageMs = nowMs - Number(atMs);
  const isInTime = ageMs <= flowLifetimeMs && ageMs >= -flowLifetimeMs;
  if (cookie === null || purpose === undefined || token === '' || !isInTime) return null;
  const secrets = secretsOf(cookie);
  return { purpose, next: Buffer.from(next, 'base64url').toString(), secrets };
}

/** The verifier has 43 characters, as PKCE asks for. */
function secretsOf(cookie: string): FlowSecrets {
  const derive = (name: string) =>
    new Bun.CryptoHasher('sha256').update(`${name}|${cookie}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}
