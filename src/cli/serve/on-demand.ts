import type { StartRenderWorker } from '../../compose/runtime.ts';
import type { OnDemand } from '../../redirect/server.ts';

/** Creates what the redirect server loads only where it needs it. */
export function createOnDemand(startRenderWorker: StartRenderWorker): OnDemand {
  return {
    appWithin: async (config, options) => {
      const { appWithin } = await import('../../compose/app/app-within.ts');
      return appWithin(config, { ...options, startRenderWorker });
    },
    reportError: async (error, log) => {
      const { reportError } = await import('../errors/report.ts');
      reportError(error, log);
    },
  };
}
