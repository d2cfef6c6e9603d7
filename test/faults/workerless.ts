import { plainSettings } from '../../src/cli/serve/flags.ts';
import { runServer } from '../../src/cli/serve/server.ts';

/** The server, on a machine that has no thread left to draw with. */
await runServer(plainSettings(['serve']) ?? {}, () => {
  throw new Error('no thread left');
});
