import { existsSync, readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const installed = existsSync(executablePath);

/** Where no Chromium is installed the browser tests are skipped; a CI without one fails. */
export const withoutBrowser = !installed && process.env['CI'] !== 'true';
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

/** A page that notes whatever the browser complains about, such as a broken policy. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a page in a context. */
export async function openPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A refusal that a test asks for shows up as a resource that failed to load.
    const expected = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !expected) complaints.push(message.text());
  });
  return { page, complaints };
}

const axe = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8');

/**
 * What axe-core finds wrong with a page, one line each.
 *
 * @param rules only these; all when left out
 */
export async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = rules === undefined ? {} : { runOnly: rules };
  // Evaluated by the debugger, past the policy that keeps scripts out of the page.
  if ((await page.evaluate('typeof axe')) !== 'object') await page.evaluate(axe);
  const found: unknown = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
        id + ' at ' + target.join(' ') + ': ' + failureSummary)))`,
  );
  if (!Array.isArray(found)) throw new Error('axe-core did not run');
  return found.map(String);
}

/** By how many pixels a page is wider than its window. */
export async function overflowPx(page: Page): Promise<number> {
  const px: unknown = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  return Number(px);
}
