import type { BrowserContext } from 'playwright-core';
import type { Server } from '../support/server.ts';
import { type PanelClient, signedIn } from './client.ts';

/** Creates an account and puts its session into a browser. */
export async function enter(
  context: BrowserContext,
  server: Server,
  email: string,
  flags: readonly string[] = [],
): Promise<PanelClient> {
  const client = await signedIn(server, email, flags);
  await context.addCookies(
    [...client.cookies].map(([name, value]) => ({ name, value, url: server.origin })),
  );
  return client;
}
