import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImportOptions, importList } from '../../src/reputation/lists/import.ts';
import { createReputation, type SafetyOptions } from '../../src/reputation/reputation.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { storesOn } from '../stores/folder.ts';

export const nowMs = Date.parse('2026-11-21T12:00:00Z');

/** Makes empty stores for the tests of one file, and removes them afterwards. */
export function createStores() {
  const root = mkdtempSync(join(tmpdir(), 'waymark-reputation-'));
  const closers: (() => void)[] = [];
  let folders = 0;

  afterAll(() => {
    for (const close of closers) close();
    rmSync(root, { recursive: true, force: true });
  });

  const openIn = (folder: string) => {
    const store = openWithDrizzle(folder, { durability: 'process', busyTimeoutMs: 0 });
    closers.push(() => store.$client.close());
    return store;
  };

  /** Opens the lists of a folder on another connection. */
  const listsIn = (folder: string) => storesOn(openIn(folder)).lists;

  const openStores = () => {
    const folder = mkdtempSync(join(root, String(folders++)));
    const store = openIn(folder);
    const { rules, sources, lists } = storesOn(store);
    const defaults = { provider: null, onFailure: 'allow' } as const;
    const createCheck = (options: Partial<SafetyOptions> = {}) =>
      createReputation({ serverVersion: '1', rules, lists, ...defaults, ...options });
    return {
      folder,
      database: store.$client,
      rules,
      sources,
      lists,
      createCheck,
      importText: (source: string, text: string | Uint8Array, options?: Partial<ImportOptions>) =>
        importList(lists, Buffer.from(text), source, { nowMs, ...options }),
      /** Which rule or list decides on a URL, or null. */
      decidedBy: async (url: string): Promise<string | null> => {
        const { matches } = await createCheck().explain(url);
        const [match] = matches;
        return match === undefined
          ? null
          : `${match.decision} by ${match.list}: ${match.expression}`;
      },
    };
  };

  return { openStores, listsIn };
}
