/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type Account, hasActivePlan } from '../../core/accounts/account.ts';
import { assets } from '../client/assets.ts';
import type { RequestContext } from '../routing/request.ts';
import { dayText } from './formatting.ts';
import { FrameContext } from './frame.ts';
import { Mark } from './icons.tsx';
import { Form, Link, Notice } from './parts.tsx';

/** Where a page belongs in the navigation. */
export type Section = 'codes' | 'design' | 'key' | 'accounts' | 'safety' | 'settings';

interface LayoutProps {
  readonly context: RequestContext;
  readonly title: string;
  readonly section: Section | null;
  readonly children: ComponentChildren;
}

/** The document around every page. */
export function Layout({ context, title, section, children }: LayoutProps) {
  const account = context.session?.account ?? null;
  const frame = { basePath: context.basePath, csrfToken: context.session?.csrfToken ?? null };
  const at = (path: string) => `${context.basePath}${path}`;
  return (
    <FrameContext.Provider value={frame}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${title} · Waymark`}</title>
          <link rel="icon" type="image/svg+xml" href={at(assets.icon.path)} />
          <link rel="stylesheet" href={at(assets.style.path)} />
          <script type="module" src={at(assets.script.path)} />
        </head>
        <body class={account === null ? 'alone' : undefined}>
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <header class="top">
            <Link class="brand" to="/account">
              <Mark />
              Waymark
            </Link>
            {account !== null && <Navigation account={account} section={section} />}
          </header>
          <main id="main">
            {account !== null && <PlanNotice account={account} nowMs={context.nowMs} />}
            {children}
          </main>
          {account !== null && (
            <footer>
              <Form to="/account/sign-out" class="who">
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
    </FrameContext.Provider>
  );
}

const entries: readonly { section: Section; path: string; name: string; operator?: true }[] = [
  { section: 'codes', path: '/account', name: 'Codes' },
  { section: 'design', path: '/account/design', name: 'Design' },
  { section: 'key', path: '/account/key', name: 'Key' },
  { section: 'accounts', path: '/account/accounts', name: 'Accounts', operator: true },
  { section: 'safety', path: '/account/safety', name: 'Safety', operator: true },
  { section: 'settings', path: '/account/settings', name: 'Settings' },
];

function Navigation({ account, section }: { account: Account; section: Section | null }) {
  return (
    <nav aria-label="Account panel">
      <ul>
        {entries
          .filter((entry) => entry.operator !== true || account.isOperator)
          .map((entry) => (
            <li key={entry.section}>
              <Link to={entry.path} aria-current={entry.section === section ? 'page' : undefined}>
                {entry.name}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

/** Says that the plan has ended, and first of all what still works. */
function PlanNotice({ account, nowMs }: { account: Account; nowMs: number }) {
  if (account.planUntilMs === null || hasActivePlan(account, nowMs)) return null;
  return (
    <Notice kind="warning" title={`Your plan ended on ${dayText(account.planUntilMs)}`}>
      What you have printed goes on working: your codes redirect and count as before, and you can
      download, export, pause and resume them. New codes, new destinations and the API wait until
      the operator of this server renews the plan.
    </Notice>
  );
}
