import type { Role } from '../../core/accounts/people/role.ts';
import type { EnteredAccount } from '../../core/accounts/ports.ts';
import {
  type Session,
  type SignInTokens,
  sessionMaxAgeMs,
  trustedBrowserLifetimeMs,
} from '../../core/accounts/session.ts';
import { flowLifetimeMs } from '../../core/accounts/sign-in/provider-flow.ts';
import { defaultTimeZone, timeZoneOf } from '../../core/accounts/time-zone.ts';
import type { HealthReport } from '../../core/health.ts';
import type { Acting, Actor } from '../../core/ports.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Language } from '../../languages/languages.ts';
import { languageOf, preferredLanguage } from '../../languages/negotiation.ts';
import { type Said, textsOf } from '../../languages/texts.ts';
import type { Logger } from '../../lib/logger.ts';
import { networkOf } from './client-address.ts';
import type { PanelDeps } from './deps.ts';
import { deviceOf } from './device.ts';
import { type Message, openMessage } from './messages.ts';

/** The fields of a submitted form. */
export interface FormFields {
  /** Returns the text of a field; empty when it is missing. */
  text(name: string): string;
  /** Returns the texts of all fields of a name. */
  all(name: string): readonly string[];
  /** Names and values of all fields without files. */
  readonly texts: readonly (readonly [name: string, value: string])[];
  readonly hasFile: boolean;
  /** Returns the bytes of an uploaded file, or null when there is none. */
  file(name: string): Promise<Uint8Array | null>;
  /** Returns the name of an uploaded file; empty when there is none. */
  fileName(name: string): string;
}

/** Creates the fields of a form without files. */
export function fieldsOf(texts: FormFields['texts']): FormFields {
  const named = Map.groupBy(texts, ([name]) => name);
  return {
    texts,
    text: (name) => named.get(name)?.[0]?.[1] ?? '',
    all: (name) => named.get(name)?.map(([, value]) => value) ?? [],
    hasFile: false,
    file: async () => null,
    fileName: () => '',
  };
}

/** The fields of no form. */
export const noFields = fieldsOf([]);

/** Returns the fields of a form that an error page can carry, to be sent again; null if there are none. */
export function fieldsToKeep(form: FormFields | null): FormFields['texts'] | null {
  // Passwords are not written into pages, and files cannot be.
  const isSecret = ([name]: readonly [string, string]) => name === 'password' || name === 'present';
  if (form === null || form.hasFile || form.texts.some(isSecret)) return null;
  const fields = form.texts.filter(([name]) => name !== 'csrf' && name !== 'account');
  return fields.length === 0 ? null : fields;
}

/** A form that was rejected. Its page shows again what was typed. */
export interface RejectedForm {
  /** Path that the form was sent to. */
  readonly action: string;
  readonly typed: FormFields;
  /** Why fields were rejected, by their names. */
  readonly problems: Readonly<Record<string, Problem>>;
  readonly status: number;
}

/** Why a field was rejected, and the link to what can be done. */
export interface Problem {
  readonly text: Said;
  readonly link?: { readonly to: string; readonly text: Said };
  /** Buttons that end it. Each sends the form with a further field. */
  readonly answers?: readonly Answer[];
  /** Whether the form can be sent with it all the same. */
  readonly isWarning?: boolean;
}

/** A button beside a problem, and the field that it sends. */
export interface Answer {
  readonly name: string;
  readonly value: string;
  readonly text: Said;
}

/** Returns the role that a path needs; null when it needs none, or is no path of the panel. */
export type RoleNeeds = (method: 'GET' | 'POST', path: string) => Role | null;

/** A request to the panel, with its session. */
export interface RequestContext {
  readonly request: Request;
  readonly log: Logger;
  readonly url: URL;
  /** Parameters of the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly nowMs: number;
  /** The language of the person, in which the page is. */
  readonly language: Language;
  /** The sentences of that language, for handlers. Components get them from `useTexts`. */
  readonly texts: Texts;
  /** The time zone of the entered account, in which the page shows days and times. */
  readonly zone: string;
  /** Path in front of `/account`, such as `/q`; else empty. */
  readonly basePath: string;
  /** Without trailing slash. */
  readonly publicUrl: string;
  /** Prefix of the short links of new codes, without trailing slash. */
  readonly shortUrl: string;
  /** Whether the public URL is https. */
  readonly isSecure: boolean;
  readonly session: Session | null;
  readonly sessionToken: string | null;
  /** What routes need, for the links and forms of a page. */
  readonly roleNeeds: RoleNeeds;
  /** The accounts that the person may enter beside the own one. */
  readonly accounts: readonly EnteredAccount[];
  /** Trusted-browser token, or null. */
  readonly trustedBrowser: string | null;
  /** The client's IP address, or an empty text if it is not known. */
  readonly address: string;
  /** The client's network, by which sign-in attempts are throttled. */
  readonly network: string;
  /** Browser and system, see `deviceOf`. */
  readonly device: string;
  /** The message of the change that redirected here, which the page shows. */
  readonly message: Message | null;
  /** The cookie of a sign-in with a provider that has begun, or null. */
  readonly providerFlow: string | null;
  /** Signs messages, see `sealMessage`. */
  readonly messageKey: string;
  /**
   * Choices that the browser keeps.
   * `start` skipped a step of the first run, `keys` is `off` without keyboard shortcuts, `days` is the length of
   * charts, `paper` what was printed on last, `language` that of the panel for who has not chosen one in the account.
   */
  readonly preferences: Readonly<Record<Preference, string>>;
  /** Number of flagged codes, which operators are told on every page. */
  readonly flaggedCodes: number;
  /** Problems of the server, for the notice on every page of operators; null for others. */
  readonly health: HealthReport | null;
  /** The form that the page shows again. */
  readonly rejected: RejectedForm | null;
  /** The form that was sent, once it was read. */
  readonly sent: FormFields | null;
}

/** A request of a person who is signed in. */
export interface PersonContext extends RequestContext {
  readonly session: Session;
  readonly sessionToken: string;
  /** The person, for changes of the own account. */
  readonly actingOnSelf: Acting;
}

/** A request of a person in an account. */
export interface SignedInContext extends PersonContext {
  /** The entered account: that of the person, or one of somebody else. */
  readonly accountId: number;
  /** The person, for changes of the entered account. */
  readonly acting: Acting;
}

/** Creates the context of a request. */
export async function createRequestContext(
  request: Request,
  peer: string,
  log: Logger,
  deps: PanelDeps,
  roleNeeds: RoleNeeds,
): Promise<RequestContext> {
  const publicUrl = new URL(deps.publicUrl);
  const isSecure = publicUrl.protocol === 'https:';
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '');
  const cookie = (name: CookieName) => cookies.get(cookieName(name, isSecure));
  const sessionToken = cookie('session');
  const session = await deps.sessions.find(sessionToken);
  const language =
    languageOf(session?.person.language ?? null) ??
    languageOf(cookie('language')) ??
    preferredLanguage(request.headers.get('accept-language'));
  const { messageKey } = deps;
  const address = deps.clientAddress(peer, request.headers.get('x-forwarded-for'));
  return {
    request,
    log,
    url: new URL(request.url),
    params: {},
    nowMs: deps.clock.nowMs(),
    language,
    texts: textsOf(language),
    zone: session === null ? defaultTimeZone : timeZoneOf(session.entered),
    basePath: publicUrl.pathname.replace(/\/$/, ''),
    publicUrl: deps.publicUrl,
    shortUrl: deps.shortUrl,
    isSecure,
    session,
    sessionToken,
    roleNeeds,
    accounts: session === null ? [] : await deps.people.accountsOf(session.person.id),
    trustedBrowser: cookie('device'),
    address,
    network: networkOf(address),
    device: deviceOf(request.headers.get('user-agent') ?? ''),
    message: openMessage(cookie('message'), messageKey),
    messageKey,
    providerFlow: cookie('oidc'),
    preferences: {
      start: cookie('start') ?? '',
      keys: cookie('keys') ?? '',
      days: cookie('days') ?? '',
      paper: cookie('paper') ?? '',
      language: cookie('language') ?? '',
    },
    flaggedCodes: session?.person.isOperator ? await deps.safety.flaggedCount() : 0,
    health: session?.person.isOperator ? deps.health() : null,
    rejected: null,
    sent: null,
  };
}

/** Returns whether a request has a valid session. */
export function isSignedIn({ session, sessionToken }: RequestContext): boolean {
  return session !== null && sessionToken !== null;
}

/** @throws Error when the guard let a request without a session through */
export function requirePerson(context: RequestContext): PersonContext {
  const { session, sessionToken } = context;
  if (session === null || sessionToken === null)
    throw new Error('a request without a session passed the guard');
  const { id } = session.person;
  return { ...context, session, sessionToken, actingOnSelf: { accountId: id, by: personOf(id) } };
}

/** @throws Error when the guard let a request without a session through */
export function requireSignedIn(context: RequestContext): SignedInContext {
  const signedIn = requirePerson(context);
  const { person, entered } = signedIn.session;
  return {
    ...signedIn,
    accountId: entered.id,
    acting: { accountId: entered.id, by: personOf(person.id) },
  };
}

const personOf = (accountId: number): Actor => ({ kind: 'person', accountId });

/**
 * Returns the operator who is signed in, for changes of any account.
 * On the own one, it is a person as others are.
 */
export function actingOn({ session }: PersonContext, accountId: number): Acting {
  const { id } = session.person;
  return { accountId, by: id === accountId ? personOf(id) : { kind: 'operator', accountId: id } };
}

/** Names of choices. */
export type Preference = 'start' | 'keys' | 'days' | 'paper' | 'language';
type CookieName = 'session' | 'device' | 'message' | 'oidc' | Preference;

/** How long a browser keeps each cookie. */
const maxAgesMs: Readonly<Record<CookieName, number>> = {
  session: sessionMaxAgeMs,
  device: trustedBrowserLifetimeMs,
  // The next page shows the message. A browser that does not open it forgets it.
  message: 60_000,
  oidc: flowLifetimeMs,
  start: trustedBrowserLifetimeMs,
  keys: trustedBrowserLifetimeMs,
  days: trustedBrowserLifetimeMs,
  paper: trustedBrowserLifetimeMs,
  language: trustedBrowserLifetimeMs,
};

/** Returns the `Set-Cookie` header of a cookie. An empty value deletes it. */
export function setCookie(name: CookieName, value: string, isSecure: boolean): string {
  return new Bun.Cookie(cookieName(name, isSecure), value, {
    path: '/',
    maxAge: value === '' ? 0 : maxAgesMs[name] / 1000,
    httpOnly: true,
    // With `strict`, links from other sites would open the panel signed out. Changes are POSTs.
    sameSite: 'lax',
    secure: isSecure,
  }).toString();
}

/** Returns the `Set-Cookie` headers of a sign-in. */
export function signInCookies({ session, trustedBrowser }: SignInTokens, isSecure: boolean) {
  return [setCookie('session', session, isSecure), setCookie('device', trustedBrowser, isSecure)];
}

/** Returns whether a request has the cookie of a session, which may have ended. */
export function hasSessionCookie({ headers }: Request, publicUrl: string): boolean {
  const cookies = new Bun.CookieMap(headers.get('cookie') ?? '');
  return Boolean(cookies.get(cookieName('session', publicUrl.startsWith('https:'))));
}

/** Browsers accept `__Host-` only over https and from this host itself (RFC 6265bis, 4.1.3.2). */
function cookieName(name: CookieName, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}waymark-${name}`;
}

/**
 * Logs a change or a sign-in in one line.
 * It has the client's address, who is signed in, and the account of somebody else that is entered. Details must not
 * contain secrets, nor text of a form that may be one.
 */
export function audit(
  { log, address, session }: RequestContext,
  message: string,
  details: Readonly<Record<string, string | boolean | null>> = {},
  level: 'info' | 'warn' = 'info',
): void {
  const by =
    session === null
      ? {}
      : {
          by: session.person.email,
          ...(session.role !== 'owner' && { in_account: session.entered.email }),
        };
  // The address is first: filters such as fail2ban's rely on the order.
  log[level](message, { address, ...details, ...by });
}
