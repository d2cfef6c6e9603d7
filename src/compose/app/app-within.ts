import type { Config } from '../../config.ts';
import { DatabaseCorrupt, DiskFull } from '../../core/errors.ts';
import { passOnWithin } from '../../http/pass-on.ts';
import type { Logger } from '../../lib/logger.ts';
import { composeHealth } from '../health.ts';
import type { StartRenderWorker } from '../runtime.ts';
import { type OffReason, offConditions } from './app-off.ts';
import { composeAppServer } from './app-server.ts';
import type { StartApp } from './start-app.ts';

/**
 * Creates the starter of an app in this process.
 * For a platform without sockets or processes, the demo, and tests. It may block redirects.
 */
export function appWithin(
  config: Config,
  deps: { readonly startRenderWorker: StartRenderWorker; readonly log: Logger },
): StartApp {
  return ({ readings, report, absent }) => {
    const health = composeHealth(deps.log);
    let off: OffReason | null = null;
    const app = composeAppServer(config, { ...deps, health, redirectReport: report }).catch(
      (error: unknown) => {
        if (error instanceof DatabaseCorrupt) off = { kind: 'damage', detail: error.reason };
        else if (error instanceof DiskFull) off = { kind: 'full' };
        else throw error;
        return null;
      },
    );
    return {
      started: app.then((composed) => ({ firstLink: composed?.firstLink ?? null })),
      passOn: async (target, request, connections) => {
        const composed = await app.catch(() => null);
        if (composed === null) return absent(target, request, 'off');
        return passOnWithin(composed.handle, readings)(target, request, connections);
      },
      readHealth: async () => health.read(),
      conditions: offConditions(() => off),
      stopRendering: async () => {
        await (await app)?.stopRendering();
      },
      close: async () => {
        health.close();
        await (await app.catch(() => null))?.close();
      },
    };
  };
}
