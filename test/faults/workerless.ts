import { runServer } from '../../src/cli/serve/server.ts';

/** The server on a machine that has no thread left to render with. */
await runServer({}, () => {
  throw new Error('no thread left');
});
