import { Refused } from '../../errors.ts';
import type { Acting } from '../../ports.ts';
import type { Reason } from '../../reasons.ts';
import { parseCode } from '../code.ts';
import type { QrLabels } from '../fields.ts';
import type { LinkImportStore, PathConflict, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { type LinksOfServer, requireNoLoop } from './loops.ts';
import { foldPath, splitScope } from './resolve.ts';

/** The rules of the path that the owner of a code chose. How it is written: `parseTypedPath`. */

/** How long a path that was given up, and scanned before, is kept from other accounts: two years, with a leap day. */
export const pathKeptMs = 731 * 24 * 60 * 60 * 1000;
/** Paths of a code that are kept: the last ones. More would keep the words of a server from all other accounts. */
export const maxPathsKept = 10;

/**
 * Changes labels of a code.
 *
 * @throws Refused when the path cannot be had, or the code would lead to itself; nothing is changed then
 */
export async function changeLabels(
  { store, ...server }: LinksOfServer & { readonly store: Pick<QrStore, 'changeLabels'> },
  acting: Acting,
  { code, destination, shortLink }: Pick<Qr, 'code' | 'destination' | 'shortLink'>,
  labels: Partial<QrLabels & Pick<Qr, 'isArchived'>>,
  nowMs: number,
): Promise<Qr | null> {
  await requireNoLoop({ code, path: labels.path ?? null, shortLink }, destination, server);
  const changed = await store.changeLabels(acting, code, labels, nowMs);
  if (typeof changed === 'string') throw pathRefused(changed, labels.path ?? '');
  return changed;
}

export function pathRefused(kind: PathConflict, path: string): Refused {
  return new Refused({ kind, path });
}

/** Returns whether a path that may be written is refused. */
export function isPathConflict({ kind }: Reason): boolean {
  switch (kind) {
    case 'path exists':
    case 'path in another case':
    case 'path reserved':
    case 'path leads back':
      return true;
    default:
      return false;
  }
}

/**
 * Returns the stored forms of all that a path would hide, or be hidden by.
 * Itself, and a code, whose case is ignored.
 */
export function formsOfPath(path: string): string[] {
  const { path: own } = splitScope(path);
  return [...new Set([path, parseCode(own) ?? path])];
}

const pathsPerRead = 400;

/**
 * Finds which paths a code of an account cannot have, and why.
 *
 * @param source a printed path may differ from another one only in case; a chosen one may not
 */
export async function findPathConflicts(
  store: Pick<LinkImportStore, 'taken' | 'takenFolded' | 'reserved'>,
  accountId: number,
  paths: readonly string[],
  source: 'printed' | 'chosen',
  nowMs: number,
): Promise<Map<string, PathConflict>> {
  const conflicts = new Map<string, PathConflict>();
  for (let at = 0; at < paths.length; at += pathsPerRead) {
    const some = paths.slice(at, at + pathsPerRead);
    const taken = new Set(await store.taken(some.flatMap(formsOfPath)));
    for (const path of await store.reserved(accountId, some, nowMs))
      conflicts.set(path, 'path reserved');
    if (source === 'chosen') {
      const folded = new Set(await store.takenFolded(some.map(foldPath)));
      for (const path of some)
        if (folded.has(foldPath(path))) conflicts.set(path, 'path in another case');
    }
    for (const path of some)
      if (formsOfPath(path).some((form) => taken.has(form))) conflicts.set(path, 'path exists');
  }
  return conflicts;
}
