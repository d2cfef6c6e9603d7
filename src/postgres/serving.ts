import { formatCodeNumber } from '../core/codes/code.ts';
import { locationHeader } from '../core/codes/destination.ts';
import type { FollowedLink, LinkStore, LinkTarget } from '../core/ports.ts';
import { hitKinds } from '../core/scans/hit.ts';
import type { ScanLogStatus } from '../core/storage.ts';
import type { Announce } from './copies/announce.ts';
import type { Connection } from './database/open.ts';

/** What a server does beside the stores: follows links, counts hits, and hears of changes. */
export interface Serving {
  readonly links: LinkStore;
  readonly announce: Announce;
  status(): ScanLogStatus;
  /** Returns the number of hits that could not be written and are lost. */
  close(): Promise<number>;
}

/** Starts to serve. */
export function startServing(connection: Connection): Serving {
  let committed = 0;
  const copy = Math.floor(Math.random() * 2 ** 31);
  let number = 0;
  const find = async (key: number | string, kind: number, atMs: number) => {
    const code = typeof key === 'string' ? key : formatCodeNumber(key);
    const [row] = await connection
      .sql()
      .unsafe<(Omit<LinkTarget, 'location'> & { destination: string })[]>(
        `SELECT id::int AS "qrId", destination, status,
           (SELECT list FROM flags WHERE qr_id = qrs.id) AS "flaggedBy" FROM qrs WHERE code = $1`,
        [code],
      );
    if (row === undefined) return null;
    const { destination, ...target } = row;
    if (target.status === 'active') {
      await connection
        .sql()
        .unsafe(
          'INSERT INTO scan_log (copy, number, settled, targets, times) VALUES ($1, $2, 0, $3, $4)',
          [copy, ++number, `{${row.qrId * 8 + kind}}`, `{${atMs}}`],
        );
      committed++;
    }
    return { ...target, location: locationHeader(destination) };
  };
  return {
    links: {
      follow: (key, kind, atMs) => {
        const link: { settled: Promise<void>; target: FollowedLink['target'] } = {
          target: null,
          settled: find(key, hitKinds.indexOf(kind), atMs).then(
            (target) => {
              link.target = target;
            },
            () => {
              link.target = 'unavailable';
            },
          ),
        };
        return link;
      },
    },
    announce: async () => {},
    status: () => ({ committed, buffered: 0, problem: null, aggregationProblem: null }),
    close: async () => 0,
  };
}
