import { setDefaultTimeout } from 'bun:test';

/**
 * Gives every test, and every hook, the limit that bunfig.toml cannot (Bun 1.4.5): some start several processes, which
 * takes more than Bun's default of 5 s on a busy machine.
 */
setDefaultTimeout(120_000);
