import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCheckout } from './checkout.ts';
import { runTool } from './tools.ts';

/**
 * Proves that the artefacts of a commit can be built again to the byte: builds them in two clones, in folders,
 * time zones and file modes that differ, and compares the digests. Only what is committed is built.
 *
 *   bun release/reproduce.ts                      compares two clones
 *   bun release/reproduce.ts --sums SHA256SUMS    compares one clone with the digests of a release
 *   bun release/reproduce.ts --target linux-x64   for this target only; may be repeated
 */

const root = join(import.meta.dir, '..');
const { values } = parseArgs({
  options: { sums: { type: 'string' }, target: { type: 'string', multiple: true } },
});

const machines = [
  { umask: '022', env: { TZ: 'UTC', LC_ALL: 'C' } },
  { umask: '077', env: { TZ: 'Asia/Kolkata', LC_ALL: 'C.UTF-8' } },
];

try {
  const { commit, isDirty } = readCheckout();
  if (isDirty) console.log('Files differ from the commit. Only the commit is built.');
  const [first, second] = machines;
  const built = await buildIn(first);
  const expected = values.sums === undefined ? await buildIn(second) : await readSums(values.sums);
  const differing = [...new Set([...built.keys(), ...expected.keys()])]
    .filter((name) => built.get(name) !== expected.get(name))
    // A target that was not built cannot be compared.
    .filter((name) => values.target === undefined || built.has(name));
  for (const [name, digest] of built)
    console.log(`${differing.includes(name) ? 'DIFFERS' : 'equal  '}  ${digest}  ${name}`);
  for (const name of differing.filter((one) => !built.has(one))) console.log(`MISSING  ${name}`);
  if (differing.length > 0)
    throw new Error(
      `${differing.length} artefacts differ. docs/verify-release.md says what to check.`,
    );
  console.log(`Commit ${commit} is reproducible: ${built.size} equal artefacts.`);
} catch (error) {
  console.error(`reproduce: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

/** Builds the commit in a new clone. Returns the digests by the names of the artefacts. */
async function buildIn(machine = machines[0]): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-reproduce-'));
  const bun = process.execPath;
  const chosen = (values.target ?? []).map((name) => ` --target '${name}'`).join('');
  const script = `set -e
umask ${machine?.umask}
git clone --quiet '${root}' clone
cd clone
git checkout --quiet ${readCheckout().commit}
'${bun}' install --frozen-lockfile
'${bun}' release/release.ts --rebuild --out ../out${chosen}`;
  try {
    await runTool(['sh', '-c', script], { cwd: folder, ...(machine && { env: machine.env }) });
    return await readSums(join(folder, 'out/SHA256SUMS'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readSums(path: string): Promise<Map<string, string>> {
  const lines = (await Bun.file(path).text()).trimEnd().split('\n');
  return new Map(
    lines.map((line): [string, string] => {
      const [digest = '', name = ''] = line.split(/\s+\*?/);
      return [name, digest];
    }),
  );
}
