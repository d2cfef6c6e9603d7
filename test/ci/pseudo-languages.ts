import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage, overflowPx, useBrowser, withoutBrowser } from '../panel/browser.ts';
import { inPseudoLanguage } from '../panel/pseudo-page.ts';
import { createStates, type State } from '../panel/states.ts';
import { cutTexts, untranslatedTexts } from '../panel/untranslated.ts';
import { createPseudoProgram, type PseudoLanguage } from '../support/pseudo.ts';
import { startServer } from '../support/server.ts';

const widthsPx = [1280, 390, 320];

const isOfPanel = ({ path }: State) => path.startsWith('/account');

/** How many texts are not in the catalogue, at most: the example of a table, and codes without a digit. */
const atMost = 12;

describe.skipIf(withoutBrowser)('every page', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  /** Opens every page in each of its states, in a pseudo-language, and returns what `look` finds there. */
  async function walk(language: PseudoLanguage, look: (page: Page) => Promise<string[]>) {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-pseudo-'));
    folders.push(folder);
    const server = await startServer({}, [], await createPseudoProgram(language, folder));
    const { contexts, states } = await createStates(server, useBrowser(server));
    const found: string[] = [];
    // Other pages are for visitors, who have languages of their own.
    for (const { name, viewer, path, prepare } of states.filter(isOfPanel)) {
      const { page, consoleErrors } = await openPage(contexts[viewer]);
      await page.goto(`${server.origin}${path}`);
      await prepare?.(inPseudoLanguage(page));
      for (const one of [...(await look(page)), ...consoleErrors]) found.push(`${name}: ${one}`);
      await page.close();
    }
    await server.close();
    return found;
  }

  /** Returns what does not fit at each width. */
  async function tooNarrow(page: Page): Promise<string[]> {
    const found: string[] = [];
    for (const width of widthsPx) {
      await page.setViewportSize({ width, height: 800 });
      const overPx = await overflowPx(page);
      if (overPx > 0) found.push(`${overPx} px too wide at ${width} px`);
      for (const text of await page.evaluate(cutTexts)) found.push(`cut at ${width} px: ${text}`);
    }
    return found;
  }

  test('has its texts in the catalogue, and room for longer ones', async () => {
    const missing = new Set<string>();
    const narrow = await walk('en-XA', async (page) => {
      for (const text of await page.evaluate(untranslatedTexts)) missing.add(text);
      return tooNarrow(page);
    });
    if (missing.size > atMost) expect([...missing]).toEqual([]);
    expect(narrow).toEqual([]);
    // A hundred pages, each at three widths.
  }, 1_200_000);

  test('goes from right to left, and is no wider then', async () => {
    const found = await walk('ar-XB', async (page) => {
      const direction = await page.evaluate('getComputedStyle(document.body).direction');
      return [
        ...(direction === 'rtl' ? [] : ['is from left to right']),
        ...(await tooNarrow(page)),
      ];
    });
    expect(found).toEqual([]);
  }, 1_200_000);
});
