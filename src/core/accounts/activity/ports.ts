import type { Acting, Actor } from '../../ports.ts';
import type { ActivityEvent, ActivityKind, Topic } from './activity.ts';

/** The interfaces that adapters implement for the activity of accounts, see `core/ports.ts`. */

/** An entry of the activity of an account. */
export interface ActivityEntry {
  /** Increases with the time: newer entries have larger ones. */
  readonly id: number;
  readonly atMs: number;
  readonly by: Actor;
  /** E-mail address of the person; null for another actor, and of an account that was deleted. */
  readonly email: string | null;
  readonly kind: ActivityKind;
  /** The code that it is about. */
  readonly code: {
    readonly code: string;
    readonly name: string | null;
    /** Whether it is still the account's. */
    readonly isOwn: boolean;
  } | null;
  readonly subject: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly count: number | null;
}

/** Which entries of an account: of a code, or of somebody and a topic. */
export type ActivityFilter =
  | { readonly qrId: number }
  | { readonly qrId?: never; readonly by?: Actor; readonly topic?: Topic };

/** Some entries, newest first, and the id before which the next ones are; null after the last. */
export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  readonly next: number | null;
}

/**
 * Who did what in the accounts.
 * Other stores write the entry of a change in the transaction of the change, so that neither stands without the other.
 */
export interface ActivityStore {
  /** Adds an entry about what changes nothing in the database. */
  add(acting: Acting, event: ActivityEvent, atMs: number): Promise<void>;
  /** @param before reads the entries with smaller ids; null for the newest */
  page(
    accountId: number,
    filter: ActivityFilter,
    before: number | null,
    limit: number,
  ): Promise<ActivityPage>;
  /**
   * Returns who has entries in an account, with e-mail addresses.
   * They are in the order of their stored forms.
   */
  actors(accountId: number, limit: number): Promise<readonly Pick<ActivityEntry, 'by' | 'email'>[]>;
  /**
   * Deletes some entries of all accounts that are older than a time.
   *
   * @param afterId 0, then what the call before returned
   * @returns where the next call begins; null when there are no more
   */
  removeBefore(timeMs: number, afterId: number): Promise<number | null>;
  /**
   * Returns accounts that may have more than `max` entries.
   *
   * @param afterId 0, then the last of the result before
   */
  largeAccounts(max: number, afterId: number, limit: number): Promise<readonly number[]>;
  /** Counts the entries of an account, in parts between which others read. */
  count(accountId: number): Promise<number>;
  /** Deletes up to `limit` of the oldest entries of an account. */
  removeOldest(accountId: number, limit: number): Promise<void>;
}
