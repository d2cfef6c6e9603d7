/** Holds the lock of a data folder until it is killed; see lock.test.ts. */
import { lockFolder } from '../../src/sqlite/database/lock.ts';

lockFolder(process.argv[2] ?? '');
// Nobody keeps what lockFolder returned, and the lock has to hold all the same.
Bun.gc(true);
console.log('locked');
setInterval(() => {}, 60_000);
