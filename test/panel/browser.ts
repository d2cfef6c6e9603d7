import { afterAll, beforeAll } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Env } from '../support/program.ts';
import { type AccountOptions, type Server, startServer } from '../support/server.ts';
import { type PanelClient, signedIn } from './client.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Whether to skip browser tests: no Chromium is installed, and this is no CI. */
export const withoutBrowser = !existsSync(executablePath) && process.env['CI'] !== 'true';
if (withoutBrowser) console.warn(`No browser at ${executablePath}: the browser tests are skipped.`);

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium with a profile of its own. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags, timeout: 60_000 });
}

/** A server and a browser, shared by the tests of a `describe`. */
export interface BrowserFixture {
  readonly server: Server;
  readonly browser: Browser;
}

/** Starts a server and a browser before the tests of this `describe` and ends both after them. */
export function useBrowser(env: Env = {}): BrowserFixture {
  let fixture: BrowserFixture | undefined;
  beforeAll(async () => {
    const [server, browser] = await Promise.all([startServer(env), launch()]);
    fixture = { server, browser };
  }, 120_000);
  afterAll(async () => {
    await fixture?.browser.close();
    await fixture?.server.close();
  });
  const started = () => {
    if (fixture === undefined) throw new Error('the server and the browser are not started yet');
    return fixture;
  };
  return {
    get server() {
      return started().server;
    },
    get browser() {
      return started().browser;
    },
  };
}

/** A page that records errors and warnings of the browser's console. */
export interface RecordedPage {
  readonly page: Page;
  readonly consoleErrors: readonly string[];
}

/** Opens a page in a context. */
export async function openPage(context: BrowserContext): Promise<RecordedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const consoleErrors: string[] = [];
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (message) => {
    // Error statuses that a test asks for are logged as well.
    const isExpected = message.text().startsWith('Failed to load resource');
    const isError = ['error', 'warning'].includes(message.type());
    if (isError && !isExpected) consoleErrors.push(message.text());
  });
  return { page, consoleErrors };
}

/** Creates an account and signs it in to a browser context. */
export async function signInContext(
  context: BrowserContext,
  server: Server,
  email: string,
  options?: AccountOptions,
): Promise<PanelClient> {
  const client = await signedIn(server, email, options);
  await context.addCookies(
    [...client.cookies].map(([name, value]) => ({ name, value, url: server.origin })),
  );
  return client;
}

const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8');

/**
 * Returns the accessibility violations that axe-core finds, one line each.
 *
 * @param rules all when left out
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = rules === undefined ? {} : { runOnly: rules };
  // Evaluated by the debugger, which the page's Content-Security-Policy does not limit.
  if ((await page.evaluate('typeof axe')) !== 'object') await page.evaluate(axe);
  const found: unknown = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        id + ' at ' + target.join(' ') + ': ' + failureSummary)))`,
  );
  if (!Array.isArray(found)) throw new Error('axe-core did not run');
  return found.map(String);
}

/** Returns by how many pixels a page is wider than its window. */
export async function overflowPx(page: Page): Promise<number> {
  const px: unknown = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return Number(px);
}
