import { afterAll } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from 'playwright-core';
import type { SharedServer } from '../support/server.ts';
import { type PanelClient, type SignedInOptions, signedIn } from './client.ts';

/** Whether the tests run in Firefox: WAYMARK_TEST_BROWSER is `firefox`. */
export const inFirefox = process.env['WAYMARK_TEST_BROWSER'] === 'firefox';

const executablePath = inFirefox
  ? (process.env['FIREFOX'] ?? '/usr/bin/firefox-esr')
  : (process.env['CHROMIUM'] ?? '/usr/bin/chromium');

/** Whether to skip browser tests: the browser is not installed, and this is no CI. */
export const withoutBrowser = !existsSync(executablePath) && process.env['CI'] !== 'true';
if (withoutBrowser) console.warn(`No browser at ${executablePath}: the browser tests are skipped.`);

const disabledFeatures = [
  // The pages behind the address bar of each window: half of the CPU time of Chromium.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  // Those of Playwright 1.65: the last flag of a name is the one that counts.
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades'],
  ...['LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying', 'OptimizationHints'],
  ...['PaintHolding', 'PreconnectToSearch', 'ThirdPartyStoragePartitioning'],
];

const flags = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // One process draws all pages, and none waits in reserve: a third of the work of a page is its process.
  '--in-process-gpu',
  '--no-zygote',
  '--process-per-site',
  '--renderer-process-limit=1',
];

/** Starts the browser with a profile of its own. */
export function launch(): Promise<Browser> {
  if (inFirefox) {
    // Over WebDriver BiDi, which has no command for reduced motion: it is a preference.
    const firefoxUserPrefs = { 'ui.prefersReducedMotion': 1 };
    return firefox.launch({
      channel: 'moz-firefox',
      executablePath,
      firefoxUserPrefs,
      timeout: 120_000,
    });
  }
  return chromium.launch({ executablePath, args: flags, timeout: 120_000 });
}

/** Starts Chromium with the profile of a folder, whose settings it reads. */
export function launchProfile(folder: string): Promise<BrowserContext> {
  const options = { executablePath, args: flags, timeout: 120_000 };
  return chromium.launchPersistentContext(folder, { ...options, reducedMotion: 'reduce' });
}

/** What Firefox cannot emulate over WebDriver BiDi. */
const mediaOfFirefox = {
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
} as const;

/** A browser for the pages of a server. */
export interface BrowserFixture {
  /** Creates a context in which nothing moves: each step of a transition is a picture that costs. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Creates an account, and opens a page in a context of its own that is signed in. */
  openSignedIn(email: string, options?: SignedInOptions): Promise<SignedInPage>;
}

let shared: Promise<Browser> | undefined;

/** Returns the browser of this process, which ends with it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

/** Opens pages in the browser of this process. Its contexts end after the tests of this `describe`. */
export function useBrowser(server: SharedServer): BrowserFixture {
  const contexts: BrowserContext[] = [];
  afterAll(() => Promise.all(contexts.map((context) => context.close())));
  const newContext: BrowserFixture['newContext'] = async (options) => {
    const media = inFirefox ? mediaOfFirefox : { reducedMotion: 'reduce' as const };
    const context = await (await sharedBrowser()).newContext({ ...media, ...options });
    contexts.push(context);
    return context;
  };
  return {
    newContext,
    openSignedIn: async (email, options) => {
      const context = await newContext();
      const client = await signInContext(context, server, email, options);
      return { context, client, ...(await openPage(context)) };
    },
  };
}

/** A page that records errors and warnings of the browser's console. */
export interface RecordedPage {
  readonly page: Page;
  readonly consoleErrors: readonly string[];
}

export interface SignedInPage extends RecordedPage {
  readonly context: BrowserContext;
  readonly client: PanelClient;
}

/** Opens a page in a context. */
export async function openPage(context: BrowserContext): Promise<RecordedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
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
  server: SharedServer,
  email: string,
  options?: SignedInOptions,
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

/** Returns by how many pixels a page is wider than its window, or an open dialog or menu than its box. */
export async function overflowPx(page: Page): Promise<number> {
  const px: unknown = await page.evaluate(`Math.max(
    ...[document.documentElement, ...document.querySelectorAll('dialog[open], :popover-open')]
      .map((one) => one.scrollWidth - Math.min(one.clientWidth, innerWidth)))`);
  return Number(px);
}
