/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Account } from '../../core/accounts/account.ts';
import { assets } from '../client/assets.ts';
import { Notice } from './components.tsx';
import { formatDate } from './formatting.ts';
import { Mark } from './icons.tsx';
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

/** Messages of completed changes, by the `done` parameter of the page that they redirect to. */
const doneTexts = new Map([
  ['created', 'Your code is ready. Download it below.'],
  ['destination', 'Destination saved.'],
  ['named', 'Name saved.'],
  ['edited', 'The codes are changed.'],
  ['unchanged', 'No code was changed: all have changed since the preview.'],
  ['undone', 'The last bulk edit is undone.'],
  ['labels', 'Name and note saved.'],
  ['paused', 'The code is paused.'],
  ['resumed', 'The code redirects again.'],
  ['saved', 'Design saved. New codes will use it.'],
  ['design-named', 'Design saved. You can choose it when you create codes.'],
  ['design-default', 'New codes will use this design.'],
  ['design-renamed', 'Design renamed.'],
  ['design-deleted', 'Saved design deleted.'],
  ['revoked', 'The key is revoked.'],
  ['password', 'Password changed. All other sessions have ended.'],
  ['signed-out', 'You are signed out.'],
  ['plan', 'Plan saved.'],
  ['blocked', 'The code is blocked. It no longer redirects.'],
  ['unblocked', 'The code is no longer blocked.'],
  ['rule', 'Rule saved. Existing codes will be re-checked.'],
  ['rule-removed', 'Rule removed. Existing codes will be re-checked.'],
]);

interface LayoutProps {
  readonly title: string;
  /** HTTP status of the response. */
  readonly status: number;
  readonly children: ComponentChildren;
}

/** The document around every page. */
export function Layout({ title, status, children }: LayoutProps) {
  const { basePath, session, url } = useRequest();
  const account = session?.account ?? null;
  const change = url.searchParams.get('done') ?? '';
  const isShown = status === 200 && (account !== null || change === 'signed-out');
  const done = isShown ? doneTexts.get(change) : undefined;
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
          {done !== undefined && <Notice kind="good" title={done} />}
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
