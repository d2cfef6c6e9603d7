import { describe, expect, test } from 'bun:test';
import { decoders } from '../support/decoders.ts';
import { openPage, signInContext, useBrowser, withoutBrowser } from './browser.ts';
import { password } from './client.ts';
import { codeOf } from './second-factor.ts';

describe.skipIf(withoutBrowser)('an authenticator app', () => {
  const fixture = useBrowser();

  test('reads the QR code from the screen, and its code turns the second factor on', async () => {
    const context = await fixture.browser.newContext({ colorScheme: 'dark' });
    await signInContext(context, fixture.server, 'anna@example.org');
    const { page, consoleErrors } = await openPage(context);
    await page.goto(`${fixture.server.origin}/account/settings`);
    await page.getByRole('link', { name: 'Turn on…' }).click();
    const png = await page.getByAltText('QR code with the secret').screenshot();
    const readings = await Promise.all(
      decoders.filter(({ present }) => present).map(async ({ read }) => (await read(png)).text),
    );
    const [uri = ''] = readings;
    expect(new Set(readings)).toEqual(new Set([uri]));
    const { protocol, host, pathname, searchParams } = new URL(uri ?? '');
    expect([protocol, host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(pathname)).toBe('/Waymark (127.0.0.1):anna@example.org');
    const secret = searchParams.get('secret') ?? '';
    expect((await page.textContent('main'))?.replaceAll(' ', '')).toContain(secret);

    await page.getByLabel('Code').fill(codeOf(secret));
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByText('On. You sign in with').waitFor();
    expect(consoleErrors).toEqual([]);
    await context.close();
  }, 120_000);
});
