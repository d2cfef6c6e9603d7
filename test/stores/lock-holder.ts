/** Locks a data folder until it is killed, for lock.test.ts. */
import { lockFolder } from '../../src/sqlite/database/lock.ts';

lockFolder(process.argv[2] ?? '');
// Without a reference to the result, the lock must stay.
Bun.gc(true);
console.log('locked');
setInterval(() => {}, 60_000);
