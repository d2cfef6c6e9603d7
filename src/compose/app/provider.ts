import type { Config } from '../../config.ts';
import type { IdentityProvider } from '../../core/accounts/sign-in/provider.ts';
import { createProvider } from '../../oidc/provider.ts';
import { realClock } from '../runtime.ts';

/**
 * Creates the client of the OpenID Connect provider that settings name, or returns null.
 * Asks it for nothing yet.
 */
export function composeProvider(config: Config): IdentityProvider | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = config;
  if (issuer === null || clientId === null || clientSecret === null) return null;
  const { oidcName: name, oidcOperators: operators, publicUrl } = config;
  return createProvider({ issuer, clientId, clientSecret, name, operators, publicUrl }, realClock);
}
