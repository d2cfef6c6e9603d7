import { beforeAll, describe, expect, test } from 'bun:test';
import type { BrowserContext } from 'playwright-core';
import { openPage, signInContext, useBrowser, withoutBrowser } from '../panel/browser.ts';
import { createCode, type PanelClient } from '../panel/client.ts';
import { heavyLogo, redrawn, trafficOf } from '../panel/traffic.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const email = 'heavy@example.org';

/** A full page of the list. */
const listed = 25;

describe.skipIf(withoutBrowser)('with a logo of 290 kB', () => {
  const browser = useBrowser(server);
  let client: PanelClient;
  beforeAll(async () => {
    client = await signInContext(await browser.newContext(), server, email);
    const look = { moduleShape: 'dots', foreground: '#1b3a57' } as const;
    await server.setDesign(email, { logo: await heavyLogo(), ...look });
    for (let number = 1; number <= listed; number++)
      await createCode(client, `https://example.org/${number}`, {
        name: `Table ${number}`,
        ...(number === listed && { folder: 'Cards' }),
      });
  });

  /** Opens a page in a browser that has loaded nothing yet. */
  async function visitor(): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 2600 } });
    await context.addCookies(
      [...client.cookies].map(([name, value]) => ({ name, value, url: server.origin })),
    );
    return context;
  }

  const compared = '/account/compare?folder=none&folder=in%3ACards';
  test.each(['/account', '/account/codes', '/account/design', '/account/print', compared])(
    'a first visit of %s loads less than 200 kB',
    async (path) => {
      const { page } = await openPage(await visitor());
      const traffic = await trafficOf(page, () => page.goto(`${server.origin}${path}`));
      expect(traffic.receivedBytes).toBeLessThan(200_000);
    },
  );

  test('a change of a colour sends and receives less than 60 kB, also before the logo is saved', async () => {
    const { page } = await openPage(await visitor());
    await page.goto(`${server.origin}/account/design`);
    const change = (color: string) =>
      trafficOf(page, () => redrawn(page, () => page.locator('#foreground').fill(color)));
    const saved = await change('#7a1f5c');
    const buffer = Buffer.from((await heavyLogo(2)).png);
    const file = { name: 'logo.png', mimeType: 'image/png', buffer };
    await redrawn(page, () => page.locator('#logo').setInputFiles(file));
    for (const { sentBytes, receivedBytes } of [saved, await change('#14684a')]) {
      expect(sentBytes).toBeLessThan(60_000);
      expect(receivedBytes).toBeLessThan(60_000);
    }
  });
});
