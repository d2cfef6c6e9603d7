import { join } from 'node:path';
import { addSource } from '../../../src/reputation/lists/sources.ts';

const entries = 50_000;

/** A block list that somebody publishes and that changes with every edition. */
export interface ChangingList {
  readonly entries: number;
  /** From now on the next edition is served. @returns its number, from 1 */
  publish(): number;
  /** A destination that stands in this edition alone. */
  onlyIn(edition: number): string;
  /** A destination that stands in every edition. */
  readonly always: string;
  /** Two destinations, the first on the odd editions, the second on the even ones. */
  readonly inTurn: readonly [string, string];
  close(): void;
}

/** Serves a list on this machine and makes it a source of a data folder. */
export async function publishChangingList(dataFolder: string): Promise<ChangingList> {
  let edition = 0;
  const inTurn = ['https://odd.listed.example/', 'https://even.listed.example/'] as const;
  const onlyIn = (number: number) => `https://edition-${number}.listed.example/`;
  const hostOf = (url: string) => new URL(url).hostname;

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const told = [onlyIn(edition), inTurn[(edition + 1) % 2] ?? ''].map(hostOf);
      // A tenth of the hosts are others in each edition.
      const rest = Array.from(
        { length: entries - told.length },
        (_, number) => `host-${number % 10 === 0 ? edition : 0}-${number}.phishing.example`,
      );
      return new Response([...told, ...rest].join('\n'), { headers: { ETag: `"${edition}"` } });
    },
  });
  // The command takes https addresses alone; a mirror on the same machine may do without.
  await addSource(join(dataFolder, 'safety'), {
    name: 'changing',
    url: server.url.href,
    nowMs: Date.now(),
    allowLoopbackHttp: true,
  });
  return {
    entries,
    publish: () => ++edition,
    onlyIn,
    always: 'https://host-0-1.phishing.example/',
    inTurn,
    close: () => void server.stop(true),
  };
}
