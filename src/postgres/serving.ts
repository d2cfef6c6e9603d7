import type { LinkStore } from '../core/codes/ports.ts';
import type { ScanLogStatus, ServerOptions } from '../core/storage.ts';
import { createLinkStore, followConnections, followSettings } from './codes/link-targets.ts';
import { changesChannel } from './codes/redirect-version.ts';
import { type Connection, createConnection, sessionSettings } from './database/open.ts';
import { joinElection, shortLivedSession } from './leader.ts';
import { aggregateForever } from './scans/aggregation.ts';

/** What a server does beside the stores: follows links and counts hits. */
export interface Serving {
  readonly linkStore: LinkStore;
  isLeader(): boolean;
  status(): ScanLogStatus;
  /** Returns the number of hits that could not be written and are lost. */
  close(): Promise<number>;
}

// The client gives up earlier. This ends what it has given up.
const followTimeoutMs = 10_000;
const connectTimeoutSeconds = 3;

/**
 * Starts to serve as one of the copies of the database.
 *
 * @param connection of the stores
 */
export function startServing(
  connection: Connection,
  { durability, log }: Pick<ServerOptions, 'durability' | 'log'>,
): Serving {
  const { url } = connection;
  let aggregationProblem: string | null = null;

  const follows = createConnection(url, {
    max: followConnections,
    statementTimeoutMs: followTimeoutMs,
    // Otherwise the operator's setting, which may wait for a standby.
    settings: { ...followSettings, ...(durability === 'process' && { synchronous_commit: 'off' }) },
  });
  const linkStore = createLinkStore(follows, {
    // Never used before, since a copy and the number of a statement identify its hits.
    copy: Math.floor(Math.random() * 2 ** 53),
    onProblem: (problem) =>
      problem === null
        ? log.info('the database can be written again, scans included')
        : log.error('the database cannot be written: scans wait in memory', { cause: problem }),
    // Requests that wait for it fail now, and the next ones connect again.
    onSilence: () => {
      connection.reset();
      election.reset();
    },
  });
  const election = joinElection({
    connect: (onClose) => {
      const sql = new Bun.SQL(url, {
        max: 1,
        connectionTimeout: connectTimeoutSeconds,
        onclose: onClose,
        connection: { ...sessionSettings, ...shortLivedSession, ...followSettings },
      });
      sql.listen(changesChannel, linkStore.receive).catch(onClose);
      return sql;
    },
    lead: (session, signal) =>
      aggregateForever(session, signal, () => {
        aggregationProblem = null;
      }),
    onLeadFailure: (problem) => {
      if (aggregationProblem === null)
        log.error('scans are written but cannot be aggregated', { cause: problem });
      aggregationProblem = problem;
    },
  });

  return {
    linkStore,
    isLeader: election.isLeader,
    status: () => ({
      ...linkStore.status(),
      // Another copy reports its own.
      aggregationProblem: election.isLeader() ? aggregationProblem : null,
    }),
    close: async () => {
      const lost = await linkStore.close();
      await Promise.all([election.close(), follows.close()]);
      return lost;
    },
  };
}
