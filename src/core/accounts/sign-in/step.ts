import type { Identity, ProvidedPerson } from './provider.ts';

/** How long a step counts: the time to take the phone out and to open the app. */
export const stepLifetimeMs = 10 * 60_000;

/** The kinds of steps. One of a kind is none of another. */
export const stepKinds = ['password', 'identity', 'new identity', 'connection'] as const;

/** What a provider has said that counts once more is proven. */
interface ProvidedIdentity {
  readonly identity: Identity;
  /** See `ProvidedPerson`. */
  readonly isOperator: ProvidedPerson['isOperator'];
}

/** What is proven of a sign-in, or of a connection, while more is asked for. */
export type SignInStep =
  /** The password was right, or a one-time link was used. The second factor is asked for. */
  | { readonly kind: 'password' }
  /** A provider has named the identity of the account. The second factor is asked for. */
  | ({ readonly kind: 'identity' } & ProvidedIdentity)
  /** A provider has named an identity with the address of the account. Its owner is asked to prove it. */
  | ({ readonly kind: 'new identity' } & ProvidedIdentity)
  /** A provider has named an identity to who is signed in, who is asked to connect it. */
  | ({ readonly kind: 'connection'; readonly sessionHash: string } & ProvidedIdentity);

/** A step of a kind. */
export type StepOf<Kind extends SignInStep['kind']> = Extract<SignInStep, { readonly kind: Kind }>;
