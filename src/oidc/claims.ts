import { parseEmail } from '../core/accounts/email.ts';
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
    ...operatorOf(groups, operators),
  };
}

type OperatorClaim = Pick<ProvidedPerson, 'isOperator' | 'groupsProblem'>;

/** Returns whether groups contain that of the operators, or what there is instead of groups. */
function operatorOf(groups: unknown, operators: string | null): OperatorClaim {
  if (operators === null) return { isOperator: null };
  const names = groupNames(groups);
  return names === null
    ? { isOperator: null, groupsProblem: `${shapeOf(groups)} is no list of groups` }
    : { isOperator: names.some((name) => isSameGroup(name, operators)) };
}

/** Keycloak names groups by their paths. */
const isSameGroup = (name: string, group: string) => name === group || name === `/${group}`;

// What a member of a list of groups has for its name (SCIM, Keycloak, GitLab, Zitadel).
const nameKeys = ['name', 'path', 'display', 'displayName', 'value', 'id'] as const;

/** Returns the names of groups: a list of names or of objects with names, or a text with commas. Null for others. */
function groupNames(groups: unknown): string[] | null {
  // The name of a group may have a comma.
  if (typeof groups === 'string')
    return [groups, ...groups.split(',')].map((name) => name.trim()).filter(Boolean);
  if (!Array.isArray(groups)) return null;
  const members = groups.map((group: unknown) =>
    typeof group === 'string'
      ? [group]
      : nameKeys.map((key) => Object(group)[key]).filter((name) => typeof name === 'string'),
  );
  // A list of which nothing is understood must not take a right away.
  const isUnderstood = members.length === 0 || members.some((names) => names.length > 0);
  return isUnderstood ? members.flat() : null;
}

/** Describes a claim that is not understood, without its values. */
function shapeOf(claim: unknown): string {
  if (claim === undefined || claim === null) return 'a missing claim "groups"';
  if (Array.isArray(claim)) return `a list of ${shapeOf(claim[0])}`;
  if (typeof claim !== 'object') return `a ${typeof claim}`;
  return `an object with the keys ${Object.keys(claim).slice(0, 10).join(', ').slice(0, 200)}`;
}

/** Returns a claim that is a text of bounded length, without control characters; else null. */
function textOf(claim: unknown, maxLength: number): string | null {
  const isText = typeof claim === 'string' && claim !== '' && claim.length <= maxLength;
  return isText && !/\p{Cc}/u.test(claim) ? claim : null;
}
