import type { RandomBytes } from '../../ports.ts';
import { newToken } from '../session.ts';
import type { FlowScopes, FlowSecrets, ProviderPrompt } from './provider.ts';

/** How long a sign-in with a provider may take. */
export const flowLifetimeMs = 10 * 60_000;

/** What a sign-in with a provider is for. `again`: for a form whose session has ended. */
const purposes = ['sign-in', 'again', 'connect', 'confirm'] as const;
export type FlowPurpose = (typeof purposes)[number];

const prompts = ['login', 'select_account'] as const satisfies readonly ProviderPrompt[];

/** A sign-in with a provider that has begun. */
export interface Flow {
  readonly purpose: FlowPurpose;
  /** Path to go to afterwards. It may be made up: the cookie is the browser's. */
  readonly next: string;
  readonly scopes: FlowScopes;
  readonly prompt: ProviderPrompt | null;
}

/**
 * Begins a sign-in.
 * All that is needed to end it is in a cookie of the browser, so that another copy of the server can: state, nonce and
 * verifier are derived from it, so it cannot be changed.
 */
export function beginFlow(flow: Flow, randomBytes: RandomBytes, nowMs: number) {
  const next = Buffer.from(flow.next).toString('base64url');
  const { purpose, scopes, prompt } = flow;
  const parts = [String(nowMs), newToken(randomBytes), purpose, next, scopes, prompt ?? ''];
  const cookie = parts.join('.');
  return { cookie, secrets: secretsOf(cookie) };
}

/** Returns the sign-in of a cookie, or null when it is none, or began too long ago. */
export function readFlow(
  cookie: string | null,
  nowMs: number,
): (Flow & { readonly secrets: FlowSecrets }) | null {
  const [atMs = '', token = '', purposeText = '', next = '', scopesText, promptText] =
    cookie?.split('.') ?? [];
  const purpose = purposes.find((one) => one === purposeText);
  const ageMs = nowMs - Number(atMs);
  const isInTime = ageMs <= flowLifetimeMs && ageMs >= -flowLifetimeMs;
  if (cookie === null || purpose === undefined || token === '' || !isInTime) return null;
  const secrets = secretsOf(cookie);
  const scopes = scopesText === 'basic' ? 'basic' : 'all';
  const prompt = prompts.find((one) => one === promptText) ?? null;
  return { scopes, prompt, purpose, next: Buffer.from(next, 'base64url').toString(), secrets };
}

/** The verifier has 43 characters, as PKCE asks for. */
function secretsOf(cookie: string): FlowSecrets {
  const derive = (name: string) =>
    new Bun.CryptoHasher('sha256').update(`${name}|${cookie}`).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}
