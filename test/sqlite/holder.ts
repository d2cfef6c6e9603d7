/** Holds the lock of a data folder until it is killed; see lock.test.ts. */
import { lockFolder } from '../../src/sqlite/lock.ts';

lockFolder(process.argv[2] ?? '');
console.log('locked');
setInterval(() => {}, 60_000);
