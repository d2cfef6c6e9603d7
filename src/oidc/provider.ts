import type { Configuration, CustomFetch } from 'openid-client';
import {
  type FlowScopes,
  type FlowSecrets,
  type IdentityProvider,
  type ProvidedPerson,
  ProviderFailure,
} from '../core/accounts/sign-in/provider.ts';
import type { Clock } from '../core/ports.ts';
import { withDeadline } from '../lib/deadline.ts';
import { errnoOf, errorMessage } from '../lib/errors.ts';
import { readAtMost } from '../lib/files/bounded-read.ts';
import { readPerson } from './claims.ts';
import { type Skew, toProviderFailure } from './failures.ts';

/** Settings of a provider. */
interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Null for the host of the issuer. */
  readonly name: string | null;
  /** Group whose members are operators; null for none. */
  readonly operators: string | null;
  /** Without trailing slash. */
  readonly publicUrl: string;
}

/** Where the provider sends browsers back to, below the public URL. */
const callbackPath = '/account/sign-in/oidc/callback';

const basicScopes = 'openid email profile';
const groupsScope = 'groups';
// A sign-in takes up to four requests, while a person waits.
const requestSeconds = 5;
const deadlineMs = 15_000;
// Documents and keys have some kilobytes.
const maxAnswerBytes = 1024 * 1024;
const keptMs = 3_600_000;
/** What the clocks may differ by. */
const toleranceSeconds = 60;
/** Time for what the provider asks after the password, such as a consent. */
const freshSeconds = 60;

/**
 * Creates the client of an OpenID Connect provider.
 * Its document is read when it is needed, and kept for an hour.
 */
export function createProvider(settings: ProviderSettings, clock: Clock): IdentityProvider {
  const { issuer, clientId, clientSecret, operators } = settings;
  const { host } = new URL(issuer);
  const redirectUrl = `${settings.publicUrl}${callbackPath}`;
  const skew: Skew = { ms: 0 };
  const fetchBounded = createBoundedFetch(clock, skew);
  let found: { readonly configuration: Promise<Configuration>; readonly atMs: number } | null =
    null;

  const discover = async (): Promise<Configuration> => {
    const oidc = await import('openid-client');
    const isInsecure = issuer.startsWith('http:');
    const execute = isInsecure ? [oidc.allowInsecureRequests] : [];
    const options = { execute, timeout: requestSeconds, [oidc.customFetch]: fetchBounded };
    const discovered = await oidc.discovery(
      new URL(issuer),
      clientId,
      undefined,
      undefined,
      options,
    );
    const metadata = discovered.serverMetadata();
    // A secret that is given as text is sent in the body, whatever the document lists.
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? oidc.ClientSecretBasic(clientSecret)
      : oidc.ClientSecretPost(clientSecret);
    const client = { client_secret: clientSecret, [oidc.clockTolerance]: toleranceSeconds };
    const configuration = new oidc.Configuration(metadata, clientId, client, authenticate);
    configuration.timeout = requestSeconds;
    configuration[oidc.customFetch] = fetchBounded;
    if (isInsecure) oidc.allowInsecureRequests(configuration);
    // Without it, the signature of the ID token is not checked.
    oidc.enableNonRepudiationChecks(configuration);
    return configuration;
  };

  /** Returns the configuration, which is discovered by one request at a time. A failure is not kept. */
  const configured = (): Promise<Configuration> => {
    const nowMs = clock.nowMs();
    if (found !== null && Math.abs(nowMs - found.atMs) < keptMs) return found.configuration;
    const configuration = discover();
    const current = { configuration, atMs: nowMs };
    found = current;
    configuration.catch(() => {
      if (found === current) found = null;
    });
    return configuration;
  };

  const attempt = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await withDeadline(deadlineMs, act);
    } catch (error) {
      throw toProviderFailure(error, skew);
    }
  };

  // Keycloak lists it, and refuses it to a client that has no client scope of this name.
  let groupsRefusedAtMs: number | null = null;

  const scopeOf = (configuration: Configuration, scopes: FlowScopes): string => {
    const nowMs = clock.nowMs();
    if (scopes === 'basic') groupsRefusedAtMs = nowMs;
    const isRefused = groupsRefusedAtMs !== null && Math.abs(nowMs - groupsRefusedAtMs) < keptMs;
    const listed = configuration.serverMetadata().scopes_supported;
    // Some providers refuse scopes that they do not know.
    const isListed = listed?.includes(groupsScope) ?? true;
    const hasGroups = operators !== null && isListed && !isRefused;
    return hasGroups ? `${basicScopes} ${groupsScope}` : basicScopes;
  };

  /** Returns the address of a request of authorization. */
  const authorizationUrl = async (
    configuration: Configuration,
    { state, nonce, verifier }: FlowSecrets,
    scope: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<URL> => {
    const oidc = await import('openid-client');
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUrl,
      scope,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    });
  };

  /**
   * Asks for what a sign-in asks for, as a browser that is signed in nowhere.
   * Returns what the provider refuses at once, without asking who somebody is.
   */
  const refusalOf = async (configuration: Configuration): Promise<string | null> => {
    const scope = scopeOf(configuration, 'all');
    const text = 'check-of-the-settings-of-this-server-0123456789';
    const secrets = { state: text, nonce: text, verifier: text };
    const { href } = await authorizationUrl(configuration, secrets, scope);
    const signal = AbortSignal.timeout(requestSeconds * 1000);
    const request = { method: 'GET', headers: {}, redirect: 'manual', body: undefined } as const;
    const response = await fetchBounded(href, { ...request, signal });
    const location = URL.parse(response.headers.get('location') ?? '', href);
    const error = location?.searchParams.get('error') ?? null;
    if (error === null || !location?.href.startsWith(redirectUrl)) return null;
    if (error !== 'invalid_scope') return null;
    return scope === basicScopes
      ? `it refuses the scopes "${basicScopes}" to this client`
      : `it refuses the scope "${groupsScope}" to this client: add it to the scopes of the client, with the claim "groups". Sign-ins go on without it`;
  };

  return {
    name: settings.name ?? host,
    issuer,
    host,
    redirectUrl,
    signInUrl: (secrets, prompt, scopes) =>
      attempt(async () => {
        const configuration = await configured();
        const url = await authorizationUrl(configuration, secrets, scopeOf(configuration, scopes), {
          ...(prompt !== null && { prompt }),
          // Otherwise, providers do not say when the person signed in.
          ...(prompt === 'login' && { max_age: '0' }),
        });
        return url.href;
      }),
    receive: (search, secrets, isFresh) =>
      attempt(async () => {
        const configuration = await configured();
        const { claims, accessToken } = await exchange(
          configuration,
          // What is sent as the redirect URI is this address without its query.
          new URL(`${redirectUrl}${search}`),
          secrets,
          isFresh,
        );
        return readPersonOf(configuration, claims, accessToken, operators);
      }),
    signOutUrl: (returnUrl) =>
      attempt(async () => {
        const oidc = await import('openid-client');
        const configuration = await configured();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
        const parameters = { post_logout_redirect_uri: returnUrl };
        return oidc.buildEndSessionUrl(configuration, parameters).href;
      }),
    check: () =>
      attempt(async () => {
        const configuration = await configured();
        const problems = problemsOf(configuration.serverMetadata(), operators);
        // What cannot be asked is no problem of the document.
        const refusal = await refusalOf(configuration).catch(() => null);
        return refusal === null ? problems : [...problems, refusal];
      }),
  };
}

/** Exchanges the code of an answer for the claims of the ID token, and checks all of it. */
async function exchange(
  configuration: Configuration,
  answer: URL,
  { state, nonce, verifier }: FlowSecrets,
  isFresh: boolean,
): Promise<{ claims: Readonly<Record<string, unknown>>; accessToken: string }> {
  const oidc = await import('openid-client');
  const tokens = await oidc.authorizationCodeGrant(configuration, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
    ...(isFresh && { maxAge: freshSeconds }),
  });
  return { claims: { ...tokens.claims() }, accessToken: tokens.access_token };
}

/**
 * Returns the person of an ID token.
 * By default, providers give e-mail and groups at the userinfo endpoint only.
 */
async function readPersonOf(
  configuration: Configuration,
  claims: Readonly<Record<string, unknown>>,
  accessToken: string,
  operators: string | null,
): Promise<ProvidedPerson> {
  const isComplete =
    claims['email'] !== undefined && (operators === null || claims['groups'] !== undefined);
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined)
    return readPerson(claims, {}, operators);
  const oidc = await import('openid-client');
  const info = await oidc.fetchUserInfo(configuration, accessToken, String(claims['sub']));
  return readPerson(claims, { ...info }, operators);
}

/** Returns what of a provider's document will not work. */
function problemsOf(
  metadata: Readonly<Record<string, unknown>>,
  operators: string | null,
): readonly string[] {
  const listed = (name: string) => {
    const value = metadata[name];
    return Array.isArray(value) ? value.map(String) : null;
  };
  const algorithms = listed('id_token_signing_alg_values_supported') ?? ['RS256'];
  const methods = listed('code_challenge_methods_supported');
  const scopes = listed('scopes_supported');
  const problems = [
    algorithms.every((algorithm) => /^(none|HS\d+)$/.test(algorithm)) &&
      `it signs with ${algorithms.join(', ')} only; RS256, PS256, ES256 or EdDSA is needed`,
    methods !== null && !methods.includes('S256') && 'it does not list PKCE with S256',
    operators !== null &&
      scopes !== null &&
      !scopes.includes('groups') &&
      'it does not list the scope "groups": add the claim "groups" to the scopes of this client',
  ];
  return problems.filter((problem) => problem !== false);
}

/**
 * Creates a fetch that reads answers of bounded size.
 * It notes by how much the clock of the provider differs.
 */
function createBoundedFetch(clock: Clock, skew: { ms: number }): CustomFetch {
  return async (url, options) => {
    const { host } = new URL(url);
    const fail = (problem: ProviderFailure['problem'], code: string, message: string) =>
      new ProviderFailure(problem, code, message);
    let response: Response;
    try {
      // The cast is safe: a body that is undefined is no body.
      response = await fetch(url, options as RequestInit);
    } catch (error) {
      const code = errnoOf(error);
      if (error instanceof DOMException) throw error;
      throw /CERT|SIGNATURE|SELF_SIGNED|ISSUER/i.test(code)
        ? fail('certificate', code, `the certificate of ${host} is not trusted (${code})`)
        : fail('unreachable', code, `${host} cannot be reached: ${errorMessage(error)}`);
    }
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) skew.ms = date - clock.nowMs();
    const body = await readAtMost(response.body, maxAnswerBytes);
    options.signal?.throwIfAborted();
    if (body === 'too long')
      throw fail('no provider', 'too_long', `an answer of ${host} is longer than 1 MB`);
    if (body === 'broken off')
      throw fail('unreachable', 'broken_off', `an answer of ${host} broke off`);
    const isEmpty = response.status === 204 || response.status === 304;
    const { status, headers } = response;
    return new Response(isEmpty ? null : body, { status, headers });
  };
}
