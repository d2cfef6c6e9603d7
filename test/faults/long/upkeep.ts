import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '../../support/server.ts';
import type { ChangingList } from './changing-list.ts';

/** What an operator's timers do beside a running server. Each throws when something is not as it should be. */
export interface Upkeep {
  /** A backup in place of the last one, looked into; and a look at all destinations by the command. */
  backUp(): Promise<Record<string, number>>;
  /** Another edition of the list, fetched; waits until it shows in new codes and in printed ones. */
  refreshList(): Promise<Record<string, number>>;
}

interface Amounts {
  readonly codes: number;
  readonly scans: number;
}

// A pause of the whole run may fall into any of it.
const deadlineMs = 600_000;

export async function createUpkeep(world: {
  server: Server;
  list: ChangingList;
  /** Of the load: what was answered, and what was asked for. */
  load: () => { answered: Amounts; asked: Amounts };
}): Promise<Upkeep> {
  const { server, list, load } = world;
  const { api } = await server.account('upkeep@example.org');
  let [created, visits] = [0, 0];
  const watched: string[] = [];
  for (const destination of list.inTurn) {
    watched.push((await api.create(destination)).code);
    created++;
  }
  const copy = join(server.folder, 'copy.db');

  const command = async (...args: string[]): Promise<unknown> => {
    const { exitCode, stdout, stderr } = await server.cli([...args, '--json'], { deadlineMs });
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit ${exitCode} ${stderr}`);
    return JSON.parse(stdout);
  };
  const create = async (url: string) => {
    created++;
    return (await api.call('POST /qrs', { url })).status;
  };
  const visit = async (code: string): Promise<number> => {
    const init = { redirect: 'manual', keepalive: false } as const;
    const { status } = await fetch(`${server.origin}/${code}`, init);
    visits++;
    return status;
  };

  return {
    backUp: async () => {
      const before = load().answered;
      const beganMs = performance.now();
      await command('backup', copy, '--force');
      const tookMs = performance.now() - beganMs;
      const after = load().asked;
      const look = Bun.spawn([process.execPath, join(import.meta.dir, 'look-into-copy.ts'), copy], {
        stdout: 'pipe',
        stderr: 'inherit',
      });
      const { qrs, hits, flaws } = await new Response(look.stdout).json();
      for (const ending of ['', '-wal', '-shm']) await rm(copy + ending, { force: true });
      hold(flaws.length === 0, `the copy: ${flaws}`);
      hold(qrs >= before.codes && qrs <= after.codes + created, `${qrs} codes in the copy`);
      hold(hits >= before.scans && hits <= after.scans + visits, `${hits} hits in the copy`);

      const again = await command('safety', 'recheck');
      const checked = numberIn(again, 'checked');
      hold(checked >= before.codes, `only ${checked} destinations looked at`);
      return { tookMs: Math.round(tookMs), codes: qrs, hits, checked };
    },

    refreshList: async () => {
      const edition = list.publish();
      const beganMs = performance.now();
      const [result] = Object.values((await command('safety', 'update')) ?? {});
      hold(result.outcome === 'updated', `the update: ${JSON.stringify(result)}`);
      hold(numberIn(result.report, 'entries') === list.entries, 'entries are missing');
      const tookMs = performance.now() - beganMs;
      const refused = await create(list.onlyIn(edition));
      hold(refused === 422, `a listed destination: ${refused}`);
      const accepted = await create(list.onlyIn(edition - 1));
      hold(accepted === 201, `a destination that is no longer listed: ${accepted}`);

      // A printed code warns with 200 while its destination is listed.
      const expected = edition % 2 === 1 ? '200,302' : '302,200';
      const beganLookMs = performance.now();
      for (;;) {
        const statuses: number[] = [];
        for (const code of watched) statuses.push(await visit(code));
        if (statuses.join() === expected) break;
        hold(performance.now() - beganLookMs < deadlineMs, `printed codes: ${statuses}`);
        await Bun.sleep(500);
      }
      const shownMs = performance.now() - beganLookMs;
      return { edition, tookMs: Math.round(tookMs), shownMs: Math.round(shownMs) };
    },
  };
}

function hold(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

function numberIn(value: unknown, name: string): number {
  const found = Object.entries(value ?? {}).find(([key]) => key === name)?.[1];
  if (typeof found !== 'number') throw new Error(`${JSON.stringify(value)} has no ${name}`);
  return found;
}
