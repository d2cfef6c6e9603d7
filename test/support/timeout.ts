import { setDefaultTimeout } from 'bun:test';

/**
 * Gives `bun test FILE` the limit of `test:some`. Bun 1.4.5 has no option of bunfig.toml for it, and runs a preload
 * before the first file only.
 */
setDefaultTimeout(300_000);
