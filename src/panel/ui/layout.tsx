/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { planStateOf } from '../../core/accounts/account.ts';
import { includesRole, type Role } from '../../core/accounts/people/role.ts';
import type { Session } from '../../core/accounts/session.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { languages } from '../../languages/languages.ts';
import { messageText } from '../request/messages.ts';
import { AccountMenu, Avatar, accountName, LanguageLink } from './account-menu.tsx';
import { assets, scriptIn } from './assets.ts';
import { Copyable, Notice, ZoneNote } from './components.tsx';
import { formatPlanEnd } from './formatting.ts';
import { Icon, type IconName, Mark } from './icons.tsx';
import { Link, PostButton, useRequest, useTexts } from './page-context.tsx';
import { plannedMessageText } from './sentences/schedule.ts';

interface NavigationEntry {
  readonly path: string;
  readonly name: (texts: Texts) => string;
  readonly icon: IconName;
  readonly group?: (typeof groups)[number];
  /** Key after G. */
  readonly key?: string;
  /** The role that its page needs; viewer when left out. */
  readonly needs?: Role;
  /** Beginnings of the paths of its pages; its own when left out. */
  readonly pages?: readonly string[];
}

export const navigation: readonly NavigationEntry[] = [
  { path: '/account', name: (t) => t.pages.overview, icon: 'overview', key: 'O', pages: [] },
  {
    path: '/account/codes',
    name: (t) => t.pages.codes,
    icon: 'codes',
    key: 'C',
    pages: [
      '/account/codes',
      '/account/new',
      '/account/compare',
      '/account/folders',
      '/account/selection',
      '/account/batches',
      '/account/bulk-edits',
    ],
  },
  { path: '/account/print', name: (t) => t.pages.print, icon: 'print', key: 'P' },
  { path: '/account/design', name: (t) => t.pages.designs, icon: 'designs', key: 'D' },
  {
    path: '/account/key',
    name: (t) => t.pages.apiKey,
    icon: 'key',
    group: 'developers',
    needs: 'owner',
  },
  { path: '/docs', name: (t) => t.pages.apiDocs, icon: 'docs', group: 'developers' },
  { path: '/account/accounts', name: (t) => t.accounts.title, icon: 'accounts', group: 'operator' },
  { path: '/account/domains', name: (t) => t.pages.domains, icon: 'domains', group: 'operator' },
  { path: '/account/safety', name: (t) => t.safety.title, icon: 'safety', group: 'operator' },
];

const groups = [undefined, 'developers', 'operator'] as const;

/** Number of entries in the bar of phones; the others are in its menu. */
const barEntries = 3;

/** The document around every page. */
export function Layout({ title, children }: { title: string; children: ComponentChildren }) {
  const { basePath, session, preferences, language } = useRequest();
  const t = useTexts();
  return (
    <html lang={language} dir={languages[language].direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        {/* The colour of the page, for the bars of phones. */}
        <meta name="theme-color" content="#f7f7f5" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101211" media="(prefers-color-scheme: dark)" />
        <title>{`${title} · Waymark`}</title>
        <link rel="icon" type="image/svg+xml" href={`${basePath}${assets.icon.path}`} />
        {/* What a phone shows when the panel is put on its home screen. */}
        <link rel="apple-touch-icon" href={`${basePath}${assets.homeScreenIcon.path}`} />
        <link rel="stylesheet" href={`${basePath}${assets.style.path}`} />
        <Script asset={scriptIn(language, 'panel')} />
      </head>
      <body data-keys={session !== null && preferences.keys !== 'off' ? basePath : undefined}>
        <a class="button skip" href="#main">
          {t.layout.skipToContent}
        </a>
        {session === null ? (
          <main class="door" id="main">
            <Brand />
            <Toast />
            {children}
            <LanguageLink />
          </main>
        ) : (
          <>
            <SignedIn session={session}>{children}</SignedIn>
            <template id="no-answer">
              <NoAnswer />
            </template>
          </>
        )}
      </body>
    </html>
  );
}

/** What the script shows over a form when the server does not answer. */
function NoAnswer() {
  const t = useTexts();
  return (
    <section class="card pad stack tight">
      <h1>{t.layout.noAnswer}</h1>
      <p>{t.layout.noAnswerWhy}</p>
      <button type="button" class="button" data-close>
        {t.common.back}
      </button>
    </section>
  );
}

function Script({ asset: { path } }: { asset: { readonly path: string } }) {
  return <script type="module" src={`${useRequest().basePath}${path}`} />;
}

/** The style sheet of the pages on which codes are made ready: Design, Create many and Print. */
export function StudioStyle() {
  return <link rel="stylesheet" href={`${useRequest().basePath}${assets.studioStyle.path}`} />;
}

/** The script of a page with a preview. */
export function PreviewScript() {
  return <Script asset={scriptIn(useRequest().language, 'preview')} />;
}

/** Rail, content and, on phones, the bar at the bottom. */
function SignedIn({ session, children }: { session: Session; children: ComponentChildren }) {
  const { person, entered } = session;
  const entries = navigation.filter(
    ({ group, needs = 'viewer' }) =>
      (person.isOperator || group !== 'operator') && includesRole(session.role, needs),
  );
  const { url, flaggedCodes } = useRequest();
  const t = useTexts();
  const { pathname } = url;
  const current = entries.find(
    ({ path, pages = [path] }) =>
      pathname === path || pages.some((page) => `${pathname}/`.startsWith(`${page}/`)),
  );
  const draw = (entry: NavigationEntry, className?: string) => (
    <Link
      key={entry.path}
      class={className}
      to={entry.path}
      data-shortcut={entry.key && `g${entry.key.toLowerCase()}`}
      aria-current={entry === current ? 'page' : undefined}
      icon={entry.icon}
    >
      {entry.name(t)}
      {entry.path === '/account/safety' && flaggedCodes > 0 && (
        <span class="count">{t.layout.flaggedCodes({ codes: flaggedCodes, hidden })}</span>
      )}
    </Link>
  );
  const name = accountName(entered);
  const isOwn = entered.id === person.id;
  const avatar = <Avatar name={name} />;
  const named = { name: <bdi>{name}</bdi>, hidden };
  return (
    <>
      <header class="top">
        <Brand />
        {!isOwn && <span class="whose">{t.layout.inTheAccountOf(named)}</span>}
        <Link
          class="button plain square find"
          to="/account/find"
          icon="search"
          data-dialog
          data-find-page
        >
          <span class="hidden">{t.pages.find}</span>
        </Link>
        <button
          class="me"
          type="button"
          popovertarget="me"
          aria-label={t.layout.accountWith({ email: person.email })}
        >
          {avatar}
        </button>
      </header>
      <div class="app">
        <nav class="rail" aria-label={t.layout.mainNavigation}>
          <Brand />
          <Link class="entry find" to="/account/find" icon="search" data-dialog data-find-page>
            {t.pages.find}
            <span class="keys-hint" aria-hidden="true">
              <kbd>Ctrl K</kbd>
            </span>
          </Link>
          {groups.map((group) => {
            const own = entries.filter((entry) => entry.group === group);
            return [
              group !== undefined && own.length > 0 && <h2 key={group}>{t.layout[group]}</h2>,
              own.map((entry) => draw(entry, 'entry')),
            ];
          })}
          <button class="me" type="button" popovertarget="me">
            {avatar}
            <span>
              {name !== person.email && (
                <b>{isOwn ? t.layout.yourAccount(named) : t.layout.inTheAccountOf(named)}</b>
              )}
              <span class={name === person.email ? undefined : 'small'}>
                {t.layout.accountWithEmail({ email: <bdi>{person.email}</bdi>, hidden })}
              </span>
            </span>
          </button>
        </nav>
        <main id="main">
          <Toast />
          <LostAccountNotice session={session} />
          <HealthNotice />
          <LocalAddressNotice isOperator={person.isOperator} />
          <ExpiredPlanNotice session={session} />
          {children}
          <ZoneNote />
        </main>
      </div>
      <nav class="menu up" id="me" popover="auto" aria-label={t.layout.account}>
        <AccountMenu />
      </nav>
      <nav class="tabs" aria-label={t.layout.bottomNavigation}>
        {entries.slice(0, barEntries).map((entry) => draw(entry))}
        <button type="button" popovertarget="more">
          <Icon name="more" />
          {t.common.more}
        </button>
      </nav>
      <nav class="menu" id="more" popover="auto" aria-label={t.common.more}>
        {groups.map((group) => {
          const own = entries.slice(barEntries).filter((entry) => entry.group === group);
          return [
            own.map((entry) => draw(entry)),
            group !== groups[0] && own.length > 0 && <hr key={group} />,
          ];
        })}
        <AccountMenu />
      </nav>
    </>
  );
}

function Brand() {
  return (
    <Link class="brand" to="/account">
      <Mark />
      Waymark
    </Link>
  );
}

/**
 * The message of the change that led to the page.
 * A short one in passing, a warning until the page is left.
 */
function Toast() {
  const request = useRequest();
  const { message, url, texts: t } = request;
  if (message === null) return null;
  const { title, text, link, undo } = messageText(message, t, (planned) =>
    plannedMessageText(planned, request),
  );
  if (title !== undefined)
    return (
      <Notice kind="warn" title={title}>
        {text}
      </Notice>
    );
  // The list that it goes back to.
  const list = url.pathname === '/account/codes' ? `${url.pathname}${url.search}` : '';
  return (
    <div class="toast" role="status">
      <span>{text}</span>
      {link !== undefined && (
        <Link class="button small" to={link.to}>
          {link.text}
        </Link>
      )}
      {undo !== undefined && (
        <PostButton to={undo.to} values={{ list, ...undo.values }} class="button small" icon="undo">
          {t.layout.undo}
        </PostButton>
      )}
    </div>
  );
}

/**
 * Tells operators what is wrong with the server, as its health check does.
 * Folded where they work on codes.
 */
function HealthNotice() {
  const { health, url } = useRequest();
  const t = useTexts();
  const { problems, warnings } = health ?? noHealth;
  const messages = [...problems, ...warnings];
  if (messages.length === 0) return null;
  const isOpen =
    url.pathname === '/account' || /^\/account\/(accounts|domains|safety)\b/.test(url.pathname);
  return (
    <Notice
      kind={problems.length > 0 ? 'bad' : 'warn'}
      title={problems.length > 0 ? t.layout.serverHasProblem : t.layout.serverNeedsAttention}
    >
      <details open={isOpen}>
        <summary>{t.layout.whatItIs}</summary>
        {messages.map((message) => (
          // As health, the log and commands say it.
          <p key={message}>
            <bdi lang="en">{message}</bdi>
          </p>
        ))}
      </details>
    </Notice>
  );
}

const noHealth = { problems: [], warnings: [] } as const;

/** Says that codes of this server cannot be scanned, because only its own machine can open the links. */
function LocalAddressNotice({ isOperator }: { isOperator: boolean }) {
  const t = useTexts();
  const shortUrl = new URL(useRequest().shortUrl);
  if (reachOf(shortUrl) !== 'this machine') return null;
  const command = 'WAYMARK_PUBLIC_URL=https://qr.example.com waymark serve';
  return (
    <Notice kind="bad" title={t.layout.phonesCannotOpen({ host: shortUrl.hostname })}>
      {isOperator ? t.layout.leadsNowhereOperator : t.layout.leadsNowhere}
      {isOperator && (
        <details>
          <summary>{t.layout.howToSetIt}</summary>
          <Copyable label={t.layout.copyCommand} text={command} />
        </details>
      )}
    </Notice>
  );
}

/** Says that the person was removed from the account in which they worked, until they have read it. */
function LostAccountNotice({ session: { person, hasLostAccount } }: { session: Session }) {
  const t = useTexts();
  if (!hasLostAccount) return null;
  return (
    <Notice
      kind="warn"
      title={t.layout.lostAccount}
      action={
        <PostButton to="/account/enter" values={{ enter: String(person.id) }} class="button small">
          {t.layout.understood}
        </PostButton>
      }
    >
      {t.layout.lostAccountWhy({ email: person.email })}
    </Notice>
  );
}

function ExpiredPlanNotice({ session: { entered, role } }: { session: Session }) {
  const { nowMs } = useRequest();
  const t = useTexts();
  const { planUntilMs } = entered;
  const state = planStateOf(entered, nowMs);
  if (planUntilMs === null || state === 'active') return null;
  const name = accountName(entered);
  if (state === 'none')
    return role !== 'owner' ? (
      <Notice kind="warn" title={t.layout.accountHasNoPlan({ name })}>
        {t.layout.accountHasNoPlanWhy}
      </Notice>
    ) : (
      <Notice kind="warn" title={t.layout.youHaveNoPlan}>
        {t.layout.youHaveNoPlanWhy}
      </Notice>
    );
  const date = formatPlanEnd(planUntilMs, { texts: t });
  return role !== 'owner' ? (
    <Notice kind="warn" title={t.layout.accountPlanExpired({ name, date })}>
      {t.layout.accountPlanExpiredWhy}
    </Notice>
  ) : (
    <Notice kind="warn" title={t.layout.planExpired({ date })}>
      {t.layout.planExpiredWhy}
    </Notice>
  );
}

/** Renders what only screen readers say. */
function hidden(text: string) {
  return <span class="hidden">{text}</span>;
}
