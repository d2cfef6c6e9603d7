import { createOnDemand } from '../../src/cli/serve/on-demand.ts';
import { runServer } from '../../src/redirect/server.ts';

/** The server on a machine that has no thread left to render with. */
const onDemand = createOnDemand(() => {
  throw new Error('no thread left');
});
await runServer({}, onDemand);
