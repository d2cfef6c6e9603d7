import type { RequestContext } from './request.ts';

/**
 * Logs a change or a sign-in in one line, with the client's address and the account that is signed in.
 * Details must not contain secrets, nor text of a form that may be one.
 */
export function audit(
  { log, address, session }: RequestContext,
  message: string,
  details: Readonly<Record<string, string | boolean | null>> = {},
  level: 'info' | 'warn' = 'info',
): void {
  const by = session === null ? {} : { by: session.account.email };
  // The address is first: filters such as fail2ban's rely on the order.
  log[level](message, { address, ...details, ...by });
}
