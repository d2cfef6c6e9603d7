/** What a person may do in an account, the least first. The owner is the account itself. */
export const roles = ['viewer', 'editor', 'owner'] as const;

export type Role = (typeof roles)[number];

/** The roles that the owner gives to others. */
export const memberRoles = ['viewer', 'editor'] as const satisfies readonly Role[];

export type MemberRole = (typeof memberRoles)[number];

/** Returns whether a role may do what another one may. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Returns a role that can be given, or null for another text. */
export function parseMemberRole(text: string): MemberRole | null {
  return memberRoles.find((role) => role === text) ?? null;
}
