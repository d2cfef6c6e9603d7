import type { Logger } from '../../lib/logger.ts';

/** A change that a command made, for the log of the server. Has no secrets. */
export interface CommandLogEntry {
  /** The command without its values, such as `account plan`. */
  readonly command: string;
  readonly details: Readonly<Record<string, string>>;
  readonly atMs: number;
}

/** Changes that commands made and that no server has logged yet. */
export interface CommandLogStore {
  append(entry: CommandLogEntry): Promise<void>;
  /** Removes the oldest entries and returns them. */
  take(limit: number): Promise<CommandLogEntry[]>;
}

const entriesAtATime = 100;

/**
 * Creates a function that logs the changes that commands made, each in one line. Call it regularly.
 *
 * @param isLeader whether this server logs them; another one may do so
 */
export function createCommandLogger(
  store: CommandLogStore,
  log: Logger,
  isLeader: () => boolean,
): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning || !isLeader()) return;
    isRunning = true;
    try {
      for (const { command, details, atMs } of await store.take(entriesAtATime))
        log.info('command', { command, ...details, at: new Date(atMs).toISOString() });
    } catch {
      // They stay until the database can be written.
    } finally {
      isRunning = false;
    }
  };
}
