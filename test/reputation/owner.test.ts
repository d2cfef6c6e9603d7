import { afterAll, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOwner } from '../../src/cli/doctor/folder.ts';
import { addSource } from '../../src/reputation/lists/sources.ts';
import { block } from '../../src/reputation/rules.ts';
import { freshFolder, importText, nowMs, removeFolders } from './folder.ts';

afterAll(removeFolders);

const nobody = 65_534;

test.skipIf(process.getuid?.() !== 0)(
  'as root: all that is written belongs to the owner of the data folder, who reads it',
  async () => {
    const data = await freshFolder();
    await chown(data, nobody, nobody);
    const folder = join(data, 'safety');
    await block(folder, 'evil.example', { nowMs });
    await importText(folder, 'feed', 'listed.example\n');
    await addSource(folder, { name: 'other', url: 'https://lists.example/', nowMs });
    const names = ['safety', ...readdirSync(data, { recursive: true, encoding: 'utf8' })];
    expect(names).toEqual(expect.arrayContaining(['safety/generation', 'safety/lists/feed.list']));
    for (const name of names) {
      const { uid, gid } = statSync(join(data, name));
      expect([name, uid, gid]).toEqual([name, nobody, nobody]);
    }
    expect(checkOwner(data).status).toBe('ok');
    await chown(join(folder, 'generation'), 0, 0);
    expect(checkOwner(data)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('safety/generation'),
      advice: expect.stringContaining(`chown -R ${nobody}`),
    });
  },
);
