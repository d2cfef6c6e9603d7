import { Database } from 'bun:sqlite';
import { flawsOf, holdingsOf } from '../../../src/sqlite/maintenance/integrity.ts';

/** Prints what a copy of a database holds and what is wrong with it, as JSON; in a process of its own. */
const database = new Database(process.argv[2], { readonly: true, strict: true });
console.log(JSON.stringify({ ...holdingsOf(database), flaws: flawsOf(database) }));
