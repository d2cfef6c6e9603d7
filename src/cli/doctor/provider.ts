import { composeProvider } from '../../compose/app/provider.ts';
import type { Config } from '../../config.ts';
import { ProviderFailure, type ProviderProblem } from '../../core/accounts/sign-in/provider.ts';
import { broken, type Check, ok, warning } from './check.ts';

/**
 * Checks the OpenID Connect provider, if one is set.
 * Names the address that must be registered there.
 */
export async function checkProvider(config: Config): Promise<Check[]> {
  const provider = composeProvider(config);
  if (provider === null) return [];
  const name = 'sign-in provider';
  const { issuer, redirectUrl } = provider;
  const register = ok('redirect URI', `register ${redirectUrl} at ${provider.name}`);
  try {
    const problems = await provider.check();
    const found = ok(name, `${issuer} answers as an OpenID Connect provider`);
    const warnings = problems.map((problem) =>
      warning(name, `${issuer}: ${problem}`, 'Look at the settings of the provider.'),
    );
    return [register, ...(warnings.length === 0 ? [found] : warnings)];
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    return [register, broken(name, `${issuer}: ${error.message}`, advice(error.problem))];
  }
}

const remedies: Partial<Record<ProviderProblem, string>> = {
  certificate:
    'If its certificate is of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that authority.',
  'other issuer':
    'Set WAYMARK_OIDC_ISSUER to exactly the issuer that the document names, with or without the slash at its end.',
  clock: 'Set the clocks of both machines, such as with NTP.',
  unreachable: 'See whether the provider runs, and whether this machine can reach it.',
  slow: 'See whether the provider is overloaded, and what is between it and this machine.',
};

function advice(problem: ProviderProblem): string {
  const remedy = remedies[problem] ?? 'Check WAYMARK_OIDC_ISSUER.';
  return `${remedy} Until then, "waymark account link EMAIL" makes a link to sign in.`;
}
