/** Hits of a kind on one code in one hour. */
export interface WaitingHit {
  /** See `hitKey`. */
  readonly key: number;
  /** The code that had the id when it was followed. */
  readonly code: string;
  /** Time of the last one. */
  readonly atMs: number;
  readonly hits: number;
}

/** Identifies a statement that writes hits: the process that sends it, and its number there. */
export interface StatementId {
  readonly copy: number;
  readonly number: number;
}

/** Hits that are written by one statement, which may have been sent before. */
interface WaitingStatement {
  readonly id: StatementId;
  readonly hits: readonly WaitingHit[];
}

/**
 * Hits that a database on a server has not taken, in a file of the copy.
 * While the file cannot be written, they are kept in memory. Nothing throws.
 */
export interface WaitingHits {
  /**
   * Keeps hits.
   *
   * @param sent the statement that may have written them; null if none was sent
   */
  add(hits: readonly WaitingHit[], sent: StatementId | null): void;
  /**
   * Returns the next statement to send, or null if nothing waits or the file cannot be written.
   * First one that may have been sent, and of these first one of this process. Its id is kept until {@link done}.
   *
   * @param newId makes the id of one that was not sent yet
   */
  next(copy: number, newId: () => StatementId): WaitingStatement | null;
  /** Forgets a statement that was written. */
  done(id: StatementId): void;
  /** Returns the number of hits. */
  size(): number;
  /** Returns the number of hits that a restart would lose. */
  inMemory(): number;
  /** Returns why the file cannot be written, or null. */
  problem(): string | null;
  /**
   * Closes the file, and removes it if nothing waits.
   *
   * @returns the number of hits in memory that are lost
   */
  close(): number;
}
