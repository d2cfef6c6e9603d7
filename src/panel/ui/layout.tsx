/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { planStateOf } from '../../core/accounts/account.ts';
import { includesRole, type Role } from '../../core/accounts/people/role.ts';
import type { Session } from '../../core/accounts/session.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { messageText } from '../request/messages.ts';
import { AccountMenu, Avatar, accountName } from './account-menu.tsx';
import { assets } from './assets.ts';
import { Copyable, Notice, ZoneNote } from './components.tsx';
import { formatPlanEnd } from './formatting.ts';
import { Icon, type IconName, Mark } from './icons.tsx';
import { Link, PostButton, useRequest, useTexts } from './page-context.tsx';

interface NavigationEntry {
  readonly path: string;
  readonly name: string;
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
  { path: '/account', name: 'Overview', icon: 'overview', key: 'O', pages: [] },
  {
    path: '/account/codes',
    name: 'Codes',
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
  { path: '/account/print', name: 'Print', icon: 'print', key: 'P' },
  { path: '/account/design', name: 'Designs', icon: 'designs', key: 'D' },
  { path: '/account/key', name: 'API key', icon: 'key', group: 'Developers', needs: 'owner' },
  { path: '/docs', name: 'API docs', icon: 'docs', group: 'Developers' },
  { path: '/account/accounts', name: 'Accounts', icon: 'accounts', group: 'Operator' },
  { path: '/account/domains', name: 'Domains', icon: 'domains', group: 'Operator' },
  { path: '/account/safety', name: 'Safety', icon: 'safety', group: 'Operator' },
];

const groups = [undefined, 'Developers', 'Operator'] as const;

/** Number of entries in the bar of phones; the others are in its menu. */
const barEntries = 3;

/** The document around every page. */
export function Layout({ title, children }: { title: string; children: ComponentChildren }) {
  const { basePath, session, preferences } = useRequest();
  return (
    <html lang="en">
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
        <Script asset={assets.script} />
      </head>
      <body data-keys={session !== null && preferences.keys !== 'off' ? basePath : undefined}>
        <a class="button skip" href="#main">
          Skip to content
        </a>
        {session === null ? (
          <main class="door" id="main">
            <Brand />
            <Toast />
            {children}
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
  return (
    <section class="card pad stack tight">
      <h1>The server did not answer</h1>
      <p>Your form may have arrived. Look in another tab before you send it again.</p>
      <button type="button" class="button" data-close>
        Back
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
  return <Script asset={assets.previewScript} />;
}

/** Rail, content and, on phones, the bar at the bottom. */
function SignedIn({ session, children }: { session: Session; children: ComponentChildren }) {
  const { person, entered } = session;
  const entries = navigation.filter(
    ({ group, needs = 'viewer' }) =>
      (person.isOperator || group !== 'Operator') && includesRole(session.role, needs),
  );
  const { url, flaggedCodes } = useRequest();
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
      {entry.name}
      {entry.path === '/account/safety' && flaggedCodes > 0 && (
        <span class="count">
          {formatNumber(flaggedCodes)}
          <span class="hidden"> flagged</span>
        </span>
      )}
    </Link>
  );
  const name = accountName(entered);
  const isOwn = entered.id === person.id;
  const avatar = <Avatar name={name} />;
  return (
    <>
      <header class="top">
        <Brand />
        {!isOwn && (
          <span class="whose">
            <span class="hidden">In the account of </span>
            <bdi>{name}</bdi>
          </span>
        )}
        <Link
          class="button plain square find"
          to="/account/find"
          icon="search"
          data-dialog
          data-find-page
        >
          <span class="hidden">Find</span>
        </Link>
        <button class="me" type="button" popovertarget="me" aria-label={`Account ${person.email}`}>
          {avatar}
        </button>
      </header>
      <div class="app">
        <nav class="rail" aria-label="Main">
          <Brand />
          <Link class="entry find" to="/account/find" icon="search" data-dialog data-find-page>
            Find
            <span class="keys-hint" aria-hidden="true">
              <kbd>Ctrl K</kbd>
            </span>
          </Link>
          {groups.map((group) => {
            const own = entries.filter((entry) => entry.group === group);
            return [
              group !== undefined && own.length > 0 && <h2 key={group}>{group}</h2>,
              own.map((entry) => draw(entry, 'entry')),
            ];
          })}
          <button class="me" type="button" popovertarget="me">
            {avatar}
            <span>
              {name !== person.email && (
                <b>
                  <span class="hidden">{isOwn ? 'Your account ' : 'In the account of '}</span>
                  <bdi>{name}</bdi>
                </b>
              )}
              <span class={name === person.email ? undefined : 'small'}>
                <span class="hidden">Account </span>
                {person.email}
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
      <nav class="menu up" id="me" popover="auto" aria-label="Account">
        <AccountMenu />
      </nav>
      <nav class="tabs" aria-label="Bottom">
        {entries.slice(0, barEntries).map((entry) => draw(entry))}
        <button type="button" popovertarget="more">
          <Icon name="more" />
          More
        </button>
      </nav>
      <nav class="menu" id="more" popover="auto" aria-label="More">
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
  const { message, url } = useRequest();
  if (message === null) return null;
  const { title, text, link, undo } = messageText(message, useTexts());
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
          Undo
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
  const { problems, warnings } = health ?? noHealth;
  const messages = [...problems, ...warnings];
  if (messages.length === 0) return null;
  const isOpen =
    url.pathname === '/account' || /^\/account\/(accounts|domains|safety)\b/.test(url.pathname);
  return (
    <Notice
      kind={problems.length > 0 ? 'bad' : 'warn'}
      title={problems.length > 0 ? 'This server has a problem' : 'This server needs attention'}
    >
      <details open={isOpen}>
        <summary>What it is, and what to do</summary>
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </details>
    </Notice>
  );
}

const noHealth = { problems: [], warnings: [] } as const;

/** Says that codes of this server cannot be scanned, because only its own machine can open the links. */
function LocalAddressNotice({ isOperator }: { isOperator: boolean }) {
  const shortUrl = new URL(useRequest().shortUrl);
  if (reachOf(shortUrl) !== 'this machine') return null;
  const command = 'WAYMARK_PUBLIC_URL=https://qr.example.com waymark serve';
  return (
    <Notice kind="bad" title={`Phones can’t open ${shortUrl.hostname}`}>
      A code that you print now leads nowhere.{' '}
      {isOperator
        ? 'Set the public address of this server, then restart it.'
        : 'Tell the operator of this server before you print.'}
      {isOperator && (
        <details>
          <summary>How to set it</summary>
          <Copyable label="Copy the command" text={command} />
        </details>
      )}
    </Notice>
  );
}

/** Says that the person was removed from the account in which they worked, until they have read it. */
function LostAccountNotice({ session: { person, hasLostAccount } }: { session: Session }) {
  if (!hasLostAccount) return null;
  return (
    <Notice
      kind="warn"
      title="You no longer have access to the account in which you worked"
      action={
        <PostButton to="/account/enter" values={{ enter: String(person.id) }} class="button small">
          OK
        </PostButton>
      }
    >
      Its owner has removed you, or it is deleted. This is your own account, {person.email}.
    </Notice>
  );
}

function ExpiredPlanNotice({ session: { entered, role } }: { session: Session }) {
  const { nowMs } = useRequest();
  const { planUntilMs } = entered;
  const state = planStateOf(entered, nowMs);
  if (planUntilMs === null || state === 'active') return null;
  if (state === 'none')
    return role !== 'owner' ? (
      <Notice kind="warn" title={`The account of ${accountName(entered)} has no plan`}>
        To create codes in it, its owner asks the operator of this server for a plan.
      </Notice>
    ) : (
      <Notice kind="warn" title="Your account has no plan">
        You can work in the accounts of others, which the account menu has. To create codes of your
        own, ask the operator of this server for a plan.
      </Notice>
    );
  const end = formatPlanEnd(planUntilMs);
  const working = 'Printed codes keep working: they redirect and count scans.';
  if (role !== 'owner')
    return (
      <Notice kind="warn" title={`The plan of ${accountName(entered)} expired on ${end}`}>
        {working} To create codes or change destinations, its owner asks the operator of this server
        to renew the plan.
      </Notice>
    );
  return (
    <Notice kind="warn" title={`Your plan expired on ${end}`}>
      {working} You can still download, export, pause and resume them. To create codes, change
      destinations or use the API, ask the operator of this server to renew your plan.
    </Notice>
  );
}
