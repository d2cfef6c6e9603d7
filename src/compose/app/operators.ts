import type { Config } from '../../config.ts';
import type { AccountStore } from '../../core/accounts/ports.ts';
import type { Health } from '../../core/health.ts';
import { every } from '../../lib/event-loop.ts';

// Somebody is made an operator by another process, or stops being one at a sign-in.
const watchMs = 5000;

/**
 * Warns when no account is an operator while groups of a provider decide who is one.
 *
 * @returns a function that ends it
 */
export function watchOperators(
  { oidcOperators: group, oidcIssuer }: Pick<Config, 'oidcOperators' | 'oidcIssuer'>,
  accounts: Pick<AccountStore, 'hasOperator'>,
  health: Health,
): () => void {
  if (group === null) return () => {};
  let isMissing = false;
  const look = async () => {
    isMissing = !(await accounts.hasOperator());
  };
  health.add({
    name: 'no_operator',
    severity: 'warning',
    check: () =>
      isMissing
        ? [
            `There is no operator, so nobody manages accounts and rules in the panel. Add somebody to the group ` +
              `"${group}" at ${oidcIssuer}, or run "waymark account operator EMAIL".`,
          ]
        : [],
  });
  // The database is open, and the next look says more.
  look().catch(() => {});
  return every(watchMs, look);
}
