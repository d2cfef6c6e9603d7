import type { BrowserContext, Page } from 'playwright-core';
import { launch } from '../panel/browser.ts';
import { createCode, signedIn } from '../panel/client.ts';
import { heavyLogo, redrawn, type Traffic, trafficOf } from '../panel/traffic.ts';
import { startServer } from '../support/server.ts';
import { printTable } from './measure.ts';

/** A full page of the list. */
export const listedCodes = 25;

/** Pages, by what is measured of them. */
const pages: Readonly<Record<string, string>> = {
  Overview: '/account',
  'Codes, 25': '/account/codes',
  Design: '/account/design',
  'Print, 12 labels': '/account/print',
  'Create many': '/account/batches',
  Settings: '/account/settings',
};

/** Measures requests and bytes of first visits, and of a change of a colour, with a logo of 290 kB. */
export async function benchPages(): Promise<void> {
  const server = await startServer();
  const browser = await launch();
  try {
    const client = await signedIn(server, 'pages@example.com');
    const logo = await heavyLogo();
    await server.setDesign('pages@example.com', {
      logo,
      moduleShape: 'dots',
      foreground: '#1b3a57',
    });
    for (let number = 1; number <= listedCodes; number++)
      await createCode(client, `https://example.com/${number}`, { name: `Table ${number}` });
    const visit = async (): Promise<{ context: BrowserContext; page: Page }> => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 2600 } });
      await context.addCookies(
        [...client.cookies].map(([name, value]) => ({ name, value, url: server.origin })),
      );
      return { context, page: await context.newPage() };
    };
    const rows: string[][] = [];
    const add = (name: string, { requests, sentBytes, receivedBytes }: Traffic) =>
      rows.push([
        name,
        String(requests),
        ...[sentBytes, receivedBytes].map((bytes) => (bytes / 1000).toFixed(1)),
      ]);
    for (const [name, path] of Object.entries(pages)) {
      const { context, page } = await visit();
      add(name, await trafficOf(page, () => page.goto(`${server.origin}${path}`)));
      await context.close();
    }
    const { page } = await visit();
    await page.goto(`${server.origin}/account/design`);
    add('A change of a colour', await trafficOf(page, () => changeColor(page, '#7a1f5c')));
    const draft = {
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from((await heavyLogo(2)).png),
    };
    add(
      'A new logo, beside its file',
      await trafficOf(page, () => redrawn(page, () => page.locator('#logo').setInputFiles(draft))),
    );
    add(
      'A change of a colour, the logo not saved',
      await trafficOf(page, () => changeColor(page, '#14684a')),
    );
    printTable(['first visit', 'requests', 'kB sent', 'kB received'], rows);
    console.log(`logo: ${logo.png.length} bytes`);
  } finally {
    await browser.close();
    await server.close();
  }
}

function changeColor(page: Page, color: string): Promise<void> {
  return redrawn(page, () => page.locator('#foreground').fill(color));
}
