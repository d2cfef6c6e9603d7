import { parseEmail } from '../core/accounts/account.ts';
import {
  maxIssuerLength,
  maxSubjectLength,
  type ProvidedPerson,
  ProviderFailure,
} from '../core/accounts/sign-in/provider.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * Returns the person that the claims of a provider describe.
 *
 * @param info claims of the userinfo endpoint, which count where the ID token has none
 * @param operators group whose members are operators, or null
 * @throws ProviderFailure when they name nobody
 */
export function readPerson(token: Claims, info: Claims, operators: string | null): ProvidedPerson {
  const issuer = textOf(token['iss'], maxIssuerLength);
  const subject = textOf(token['sub'], maxSubjectLength);
  if (issuer === null || subject === null)
    throw new ProviderFailure('wrong answer', 'no_subject', 'the ID token names nobody');
  // Both of the same document: one must not vouch for the address of the other.
  const { email, email_verified: isVerified } = token['email'] === undefined ? info : token;
  const groups = token['groups'] ?? info['groups'];
  const text = textOf(email, maxSubjectLength);
  return {
    issuer,
    subject,
    email: text === null ? null : parseEmail(text),
    // Some providers send it as text.
    isEmailVerified: isVerified === true || isVerified === 'true',
    isOperator: operators === null ? null : isIn(groups, operators),
  };
}

/** Returns whether groups contain one; null if there is no such claim. */
function isIn(groups: unknown, group: string): boolean | null {
  const names = typeof groups === 'string' ? [groups] : groups;
  if (!Array.isArray(names)) return null;
  // Keycloak names groups by their paths.
  return names.includes(group) || names.includes(`/${group}`);
}

/** Returns a claim that is a text of bounded length, without control characters; else null. */
function textOf(claim: unknown, maxLength: number): string | null {
  const isText = typeof claim === 'string' && claim !== '' && claim.length <= maxLength;
  return isText && !/\p{Cc}/u.test(claim) ? claim : null;
}
