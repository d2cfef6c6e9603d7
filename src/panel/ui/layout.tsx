/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Account } from '../../core/accounts/account.ts';
import { assets } from '../client/assets.ts';
import { Mark } from '../client/icons.tsx';
import { type Message, messageText } from '../request/messages.ts';
import { Notice } from './components.tsx';
import { formatDate } from './formatting.ts';

import { Form, Link, useHasActivePlan, useRequest } from './page-context.tsx';

interface NavigationEntry {
  readonly path: string;
  readonly name: string;
  readonly isForOperators?: boolean;
  /** Beginnings of the paths of its pages; its own when left out. */
  readonly pages?: readonly string[];
}

const navigation: readonly NavigationEntry[] = [
  { path: '/account', name: 'Overview', pages: [] },
  {
    path: '/account/codes',
    name: 'Codes',
    pages: ['/account/codes', '/account/selection', '/account/batches'],
  },
  { path: '/account/design', name: 'Design' },
  { path: '/account/key', name: 'API key' },
  { path: '/account/accounts', name: 'Accounts', isForOperators: true },
  { path: '/account/safety', name: 'Safety', isForOperators: true },
  { path: '/account/settings', name: 'Settings' },
];

interface LayoutProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The document around every page. */
export function Layout({ title, children }: LayoutProps) {
  const { basePath, session, message } = useRequest();
  const account = session?.account ?? null;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Waymark`}</title>
        <link rel="icon" type="image/svg+xml" href={`${basePath}${assets.icon.path}`} />
        <link rel="stylesheet" href={`${basePath}${assets.style.path}`} />
        <script type="module" src={`${basePath}${assets.script.path}`} />
      </head>
      <body class={account === null ? 'signed-out' : undefined}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <Link class="brand" to="/account">
            <Mark />
            Waymark
          </Link>
          {account !== null && <Navigation account={account} />}
        </header>
        <main id="main">
          {account !== null && <ExpiredPlanNotice account={account} />}
          {message !== null && <MessageNotice message={message} />}
          {children}
        </main>
        {account !== null && (
          <footer>
            <Form to="/account/sign-out" class="row">
              <span>
                Signed in as <b>{account.email}</b>
              </span>
              <button type="submit" class="link">
                Sign out
              </button>
            </Form>
            <Link to="/docs">API documentation</Link>
          </footer>
        )}
      </body>
    </html>
  );
}

function MessageNotice({ message }: { message: Message }) {
  const text = messageText(message);
  if (typeof text === 'string') return <Notice kind="good" title={text} />;
  return (
    <Notice kind="warning" title={text.title}>
      {text.text}
    </Notice>
  );
}

function Navigation({ account }: { account: Account }) {
  const { pathname } = useRequest().url;
  const current = navigation.find(
    ({ path, pages = [path] }) =>
      pathname === path || pages.some((page) => `${pathname}/`.startsWith(`${page}/`)),
  );
  return (
    <nav aria-label="Account panel">
      <ul class="tabs">
        {navigation
          .filter(({ isForOperators }) => account.isOperator || isForOperators !== true)
          .map((entry) => (
            <li key={entry.path}>
              <Link to={entry.path} aria-current={entry === current ? 'page' : undefined}>
                {entry.name}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function ExpiredPlanNotice({ account }: { account: Account }) {
  const isActive = useHasActivePlan();
  if (account.planUntilMs === null || isActive) return null;
  return (
    <Notice kind="warning" title={`Your plan expired on ${formatDate(account.planUntilMs)}`}>
      Printed codes keep working: they redirect and count scans. You can still download, export,
      pause and resume them. To create codes, change destinations or use the API, ask the operator
      of this server to renew your plan.
    </Notice>
  );
}
