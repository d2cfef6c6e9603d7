import type { Api } from '../../support/api.ts';

/** Codes that a load asks for, and how often each was scanned. */
export interface ScanCounts {
  /** In the order in which they were learnt. */
  readonly codes: readonly string[];
  /** Takes up what the server has made since; more than a page of it only with larger offsets. */
  learn(offset?: number): Promise<void>;
  scanned(code: string): void;
  /** A scan whose answer never came, so that nobody can know whether it was counted. */
  unsure(code: string): void;
  /** Scans that were answered, and those of which nobody can know. */
  sums(): { answered: number; unsure: number };
  /** Holds the counter of every code that the server lists against what was answered. */
  compare(): Promise<{ listed: number; inexact: number }>;
}

const pageSize = 100;

/** Starts with the codes that the account has. */
export async function countScans(api: Api): Promise<ScanCounts> {
  const counts = new Map<string, { answered: number; unsure: number }>();
  const codes: string[] = [];

  const of = (code: string) => {
    const known = counts.get(code);
    if (known !== undefined) return known;
    const count = { answered: 0, unsure: 0 };
    counts.set(code, count);
    codes.push(code);
    return count;
  };
  const page = async (offset: number) =>
    (await api.list(`?limit=${pageSize}&offset=${offset}`)).data;
  async function* everything() {
    for (let offset = 0; ; offset += pageSize) {
      const data = await page(offset);
      yield* data;
      if (data.length < pageSize) return;
    }
  }

  for await (const { code } of everything()) of(code);
  return {
    codes,
    learn: async (offset = 0) => {
      for (const { code } of await page(offset)) of(code);
    },
    scanned: (code) => void of(code).answered++,
    unsure: (code) => void of(code).unsure++,
    sums: () => {
      const all = [...counts.values()];
      return {
        answered: all.reduce((sum, { answered }) => sum + answered, 0),
        unsure: all.reduce((sum, { unsure }) => sum + unsure, 0),
      };
    },
    compare: async () => {
      let [listed, inexact] = [0, 0];
      for await (const { code, scans } of everything()) {
        const { answered, unsure } = of(code);
        listed++;
        if (scans < answered || scans > answered + unsure) inexact++;
      }
      return { listed, inexact };
    },
  };
}
