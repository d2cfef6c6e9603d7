import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQrStore } from '../../../src/sqlite/codes/qrs.ts';
import { DatabaseUnusable } from '../../../src/sqlite/database/migrate.ts';
import { closeStore, databasePath } from '../../../src/sqlite/database/open.ts';
import { openStore } from '../../../src/sqlite/database/store.ts';
import { createScanLog } from '../../../src/sqlite/scans/log.ts';
import { lookForDamage } from '../look-for-damage.ts';
import { seed } from '../seeded.ts';

/**
 * Flips single bits and cuts a database off at random places, and opens each as a server does: it is
 * refused and left as it was, or it opens and every code can be listed.
 *
 *   bun test/faults/long/damage.ts [flips, 5000]
 */
const flips = Number(process.argv[2] ?? 5000);
const cuts = Math.floor(flips / 10);
const root = mkdtempSync(join(tmpdir(), 'waymark-damage-'));

/** @returns whether it was refused */
async function start(folder: string): Promise<boolean> {
  const before = readFileSync(databasePath(folder));
  try {
    lookForDamage(folder);
    const store = openStore(folder, { durability: 'process', busyTimeoutMs: 0 });
    const scanLog = createScanLog(store);
    await createQrStore(store, { forget: () => {} }, scanLog).page(1, 100, 0);
    scanLog.close();
    closeStore(store);
    return false;
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    if (!readFileSync(databasePath(folder)).equals(before)) throw new Error('it was changed');
    return true;
  }
}

try {
  const seeded = await seed(join(root, 'seeded'), 20);
  const settled = seeded.copyTo(join(root, 'settled'));
  closeStore(openStore(settled, { durability: 'process', busyTimeoutMs: 0 }));
  const good = readFileSync(databasePath(settled));

  const refusedOf = async (count: number, damage: () => Uint8Array) => {
    let refused = 0;
    for (let nth = 0; nth < count; nth++) {
      const folder = seeded.copyTo(join(root, 'damaged'));
      rmSync(`${databasePath(folder)}-wal`, { force: true });
      writeFileSync(databasePath(folder), damage());
      if (await start(folder)) refused++;
      rmSync(folder, { recursive: true });
    }
    return refused;
  };

  const flipped = await refusedOf(flips, () => {
    const bytes = Buffer.from(good);
    const at = Math.floor(Math.random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
    return bytes;
  });
  // Two bytes and more: an empty file is its own case.
  const cutOff = await refusedOf(cuts, () =>
    good.subarray(0, 2 + Math.floor(Math.random() * (good.length - 2))),
  );
  console.log(
    `${good.length} bytes, of which ${good.filter((byte) => byte === 0).length} are zero; ` +
      `${flips} flips: ${flipped} refused, the others opened; ${cuts} cuts: ${cutOff} refused`,
  );
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(0);
