import { afterAll, beforeAll } from 'bun:test';
import type { Browser } from 'playwright-core';
import { type Server, startServer } from '../support/server.ts';
import { launch } from './browser.ts';

/** What the tests of a `describe` play on. */
export interface Stage {
  readonly server: Server;
  readonly browser: Browser;
}

/** Starts a server and a browser before the tests of this `describe` and ends both after them. */
export function setStage(): Stage {
  let set: Stage | undefined;
  beforeAll(async () => {
    const [server, browser] = await Promise.all([startServer(), launch()]);
    set = { server, browser };
  }, 120_000);
  afterAll(async () => {
    await set?.browser.close();
    await set?.server.close();
  });
  const standing = () => {
    if (set === undefined) throw new Error('the stage is set before the first test, not earlier');
    return set;
  };
  return {
    get server() {
      return standing().server;
    },
    get browser() {
      return standing().browser;
    },
  };
}
