import type { Config } from '../../config.ts';
import { DatabaseCorrupt, DiskFull } from '../../core/errors.ts';
import type { HealthCondition } from '../../core/health.ts';
import { watchHealth } from '../../core/health.ts';
import type { Logger } from '../../lib/logger.ts';
import { type OffReason, offConditions } from '../../redirect/app/app-off.ts';
import type { StartApp } from '../../redirect/app/start-app.ts';
import { passOnWithin } from '../../redirect/pass-on.ts';
import type { StartRenderWorker } from '../runtime.ts';
import { composeAppServer } from './app-server.ts';

/** That the app may block redirects. */
const oneProcessCondition: HealthCondition = {
  name: 'one_process',
  severity: 'warning',
  check: () => [
    'The server is one process: there is no folder for a Unix socket between two. So short links wait while API and ' +
      'panel are busy, and end with them. Have the data folder, or the folder for temporary files (TMPDIR), on a file ' +
      'system with sockets, and restart the server.',
  ],
};

/**
 * Creates the starter of an app in this process.
 * For a platform without sockets or processes, the demo, and tests. It may block redirects.
 */
export function appWithin(
  config: Config,
  deps: {
    readonly startRenderWorker: StartRenderWorker;
    readonly log: Logger;
    /** Whether one process is what was asked for, and needs no warning. */
    readonly isAsked: boolean;
  },
): StartApp {
  return ({ readings, report, absent, hasDatabase }) => {
    const health = watchHealth(deps.log);
    let off: OffReason | null = null;
    const app = composeAppServer(config, {
      ...deps,
      health,
      isDatabaseRequired: hasDatabase,
      redirectReport: report,
    }).catch((error: unknown) => {
      if (error instanceof DatabaseCorrupt) off = { kind: 'damage', detail: error.reason };
      else if (error instanceof DiskFull) off = { kind: 'full' };
      else throw error;
      return null;
    });
    return {
      started: app.then((composed) => ({ firstLink: composed?.firstLink ?? null })),
      passOn: async (target, request, connections) => {
        const composed = await app.catch(() => null);
        if (composed === null) return absent(target, request, 'off');
        const late = (to: string, of: Request) => absent(to, of, 'late');
        return passOnWithin(composed.handle, readings, late)(target, request, connections);
      },
      readHealth: async () => health.read(),
      conditions: [...offConditions(() => off), ...(deps.isAsked ? [] : [oneProcessCondition])],
      stopRendering: async () => {
        await (await app)?.stopRendering();
      },
      close: async () => {
        health.close();
        const composed = await app.catch(() => null);
        await composed?.close();
        return composed !== null;
      },
    };
  };
}
