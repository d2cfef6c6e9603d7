/** Who somebody is at an OpenID Connect provider. Both texts are compared exactly. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Maximum length of an issuer. */
export const maxIssuerLength = 1000;
/** Maximum length of a subject (OpenID Connect Core, 2). */
export const maxSubjectLength = 255;

/** What a provider says about somebody who signed in there. */
export interface ProvidedPerson extends Identity {
  /** In the stored form; null if the provider gives none. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /**
   * Whether the person is in the group of operators.
   * Null if the provider does not say, or no group is set.
   */
  readonly isOperator: boolean | null;
  /** What the provider says instead of groups, for the log. */
  readonly groupsProblem?: string;
}

/** The secrets of one sign-in, which tie what the provider answers to the browser that began it. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** Which scopes are asked for: that of the groups too, or not, because the provider refuses it to this client. */
export type FlowScopes = 'all' | 'basic';

/** What is to be asked at the provider: to sign in there again, or with another account. */
export type ProviderPrompt = 'login' | 'select_account';

/** An OpenID Connect provider. It is asked when somebody signs in, never before. */
export interface IdentityProvider {
  /** Its name on buttons and in messages. */
  readonly name: string;
  readonly issuer: string;
  /** Host of the issuer. */
  readonly host: string;
  /** Where it sends browsers back to, as it must be registered there. */
  readonly redirectUrl: string;
  /**
   * Returns the address at which somebody signs in.
   *
   * @param scopes `basic` leaves out that of the groups
   * @throws ProviderFailure
   */
  signInUrl(
    secrets: FlowSecrets,
    prompt: ProviderPrompt | null,
    scopes: FlowScopes,
  ): Promise<string>;
  /**
   * Returns who signed in.
   *
   * @param search the query with which the browser came back
   * @param isFresh whether the person must have signed in there a moment ago
   * @throws ProviderFailure
   */
  receive(search: string, secrets: FlowSecrets, isFresh: boolean): Promise<ProvidedPerson>;
  /** Returns the address that signs out there, or null if it has none. @throws ProviderFailure */
  signOutUrl(returnUrl: string): Promise<string | null>;
  /** Asks the provider for its document, and returns what of it will not work. @throws ProviderFailure */
  check(): Promise<readonly string[]>;
}

/** Why a sign-in with a provider failed. */
export type ProviderProblem =
  /** It cannot be reached, or answers with an error of its own. */
  | 'unreachable'
  | 'slow'
  /** Its certificate is not trusted here. */
  | 'certificate'
  /** What it answers is not that of an OpenID Connect provider. */
  | 'no provider'
  /** Its document names another issuer. */
  | 'other issuer'
  /** Its clock and that of this server differ too much. */
  | 'clock'
  /** It does not accept the client ID or the secret. */
  | 'wrong client'
  /** It refuses a scope to this client. */
  | 'scope refused'
  /** The code was used, or has expired. */
  | 'code used'
  /** The person has cancelled, or it does not let the person in. */
  | 'denied'
  /** It does not say that the person signed in a moment ago. */
  | 'not fresh'
  /** The answer does not belong to this sign-in, or is not signed as it must be. */
  | 'wrong answer';

/** A sign-in with a provider failed. The message is for the log: it has no secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';

  /** @param code of the error, such as `access_denied` */
  constructor(
    readonly problem: ProviderProblem,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
