import { TOTP } from 'otpauth';
import type { PanelClient } from './client.ts';
import { fieldOf } from './page.ts';

const page = '/account/settings/second-factor';

/** Returns the code that an authenticator app shows, or will show some steps later. */
export function codeOf(secret: string, stepsLater = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + stepsLater * 30_000 });
}

/** Turns the second factor on, with the password of the account. */
export async function turnOn(client: PanelClient, password: string) {
  const secret = fieldOf((await client.get(page)).text, 'secret')?.value ?? '';
  const form = { csrf: await client.csrf(), secret, password };
  const { status, text } = await client.post(page, { ...form, code: codeOf(secret) });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return { secret, recoveryCodes: recoveryCodesOf(text) };
}

/** Returns the recovery codes that a page shows. */
export function recoveryCodesOf(text: string): string[] {
  const block = /<code>([0-9a-f\s-]+)<\/code>/.exec(text)?.[1] ?? '';
  return block.split('\n');
}
