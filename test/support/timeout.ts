import { setDefaultTimeout } from 'bun:test';

/**
 * Gives the tests of a single run the limit that bunfig.toml has no option for (Bun 1.4.5): some start several
 * processes, which takes more than Bun's default of 5 s on a busy machine. Runs with `--parallel` need `--timeout`.
 */
setDefaultTimeout(300_000);
