import { snapshotTables } from '../../src/core/backups/snapshot.ts';
import type { Stores } from '../../src/core/storage.ts';
import { accountStoresSuite } from './accounts.suite.ts';
import { activityStoreSuite } from './activity.suite.ts';
import { batchStoreSuite } from './batches.suite.ts';
import { bulkEditStoreSuite } from './bulk-edits.suite.ts';
import { codeConflictsSuite } from './code-conflicts.suite.ts';
import { codeListStoreSuite } from './code-lists.suite.ts';
import { conflictsSuite } from './conflicts.suite.ts';
import { flagStoreSuite } from './flags.suite.ts';
import { hostileTextSuite } from './hostile-text.suite.ts';
import { overviewStoreSuite } from './overview.suite.ts';
import { peopleStoreSuite } from './people.suite.ts';
import { qrStoreSuite } from './qr-store.suite.ts';
import { rightsSuite } from './rights.suite.ts';
import { safetyStoresSuite } from './safety.suite.ts';
import { savedDesignsSuite } from './saved-designs.suite.ts';
import { scheduleStoreSuite } from './schedule.suite.ts';

/** A database that all suites share. */
export interface DatabaseUnderTest {
  readonly name: string;
  readonly stores: Stores;
  /** The stores on another connection. */
  readonly others: Stores;
  /** Deletes all rows. */
  empty(): Promise<void>;
  /** Adds scans of a code that has none, in ascending order, to the counters. */
  addScans(qrId: number, timesMs: readonly number[]): Promise<void>;
  /** Returns the number of idempotency keys. */
  countKeys(): Promise<number>;
}

/** Statements that delete all rows of a database that checks no references meanwhile. */
export const deleteAll = Object.keys(snapshotTables).map((table) => `DELETE FROM ${table}`);

/** Tests of all stores, for every adapter. */
export function storeSuites(database: DatabaseUnderTest): void {
  accountStoresSuite(database);
  activityStoreSuite(database);
  peopleStoreSuite(database);
  rightsSuite(database);
  flagStoreSuite(database);
  safetyStoresSuite(database);
  hostileTextSuite(database);
  conflictsSuite(database);
  codeConflictsSuite(database);
  qrStoreSuite(database);
  scheduleStoreSuite(database);
  overviewStoreSuite(database);
  savedDesignsSuite(database);
  batchStoreSuite(database);
  codeListStoreSuite(database);
  bulkEditStoreSuite(database);
}
