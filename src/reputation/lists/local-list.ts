import type { Rule } from '../../core/safety/rule.ts';
import { namesIn } from '../../lib/atomic-write-async.ts';
import { listRules } from '../rules.ts';
import { topLevelExpressions } from '../url/expressions.ts';
import { generationOf, pathsOf } from './generation.ts';
import { identityOf, type LoadedList } from './list-file.ts';
import { listPaths, openBestList, sourceOfFile } from './list-store.ts';
import { type LocalMatch, listMatches, operatorMatches } from './local-match.ts';

/** What is known of one imported list. */
export interface ListStatus {
  readonly source: string;
  readonly entries: number;
  readonly importedAtMs: number | null;
  readonly format: string | null;
  /** What is wrong with the newest file; an older copy may stand in for it. */
  readonly problem: string | null;
}

export interface LocalListStatus {
  readonly lists: readonly ListStatus[];
  readonly allowed: number;
  readonly blocked: number;
  /** Files in which a rule should be and is none. */
  readonly damagedRules: readonly string[];
}

/** Everything that is decided on this machine. Another process's changes show at the next refresh. */
export interface LocalList {
  /** Makes every finished change count, by whichever process. Cheap when there was none. */
  refresh(): Promise<void>;
  /** Every match of the expressions, the one that decides first. Microseconds; no refresh. */
  match(expressions: readonly string[]): LocalMatch[];
  /** False when a list is damaged and no copy stands in for it, so that "no match" is no answer. */
  isWhole(): boolean;
  /** Changes with every change of lists or rules, and of which of them can be read. */
  generation(): string;
  status(): LocalListStatus;
  close(): void;
}

interface Loaded {
  readonly source: string;
  readonly list: LoadedList | null;
  readonly problem: string | null;
  /** Which file the newest was when it was read; null when reading it again may come to something else. */
  readonly newest: string | null;
}

// Permissions, a mount or a limit on open files may be mended without any trace in the folder.
const retryAfterMs = 10_000;

/**
 * @param folder the safety folder; it need not exist
 * @param monotonicMs a clock that never jumps
 */
export function openLocalList(
  folder: string,
  monotonicMs: () => number = () => performance.now(),
): LocalList {
  let generation: string | null = null;
  let retryAtMs = 0;
  let loaded: readonly Loaded[] = [];
  let rules = new Map<string, Rule>();
  let damagedRules: readonly string[] = [];
  let loading: Promise<void> | null = null;

  const load = async () => {
    const before = generationOf(folder);
    const found = await listRules(folder);
    const earlier = loaded;
    loaded = await reload(folder, earlier);
    closeUnused(earlier, loaded);
    rules = new Map(found.rules.map((rule) => [rule.expression, rule]));
    damagedRules = found.damaged;
    retryAtMs = monotonicMs() + retryAfterMs;
    // What changed while this was read shows at the next refresh.
    generation = before;
  };

  /** Names of lists of which the newest file, and of rules of which the file cannot be read. */
  const unread = () => [
    ...loaded.filter(({ problem }) => problem !== null).map(({ source }) => source),
    ...damagedRules,
  ];

  const isDue = () =>
    generationOf(folder) !== generation || (unread().length > 0 && monotonicMs() >= retryAtMs);

  const refresh = async () => {
    // A load under way may have begun before the change that this call has to see.
    while (isDue()) {
      loading ??= load().finally(() => {
        loading = null;
      });
      await loading;
    }
  };

  return {
    refresh,
    match: (expressions) => [
      ...operatorMatches(rules, [...expressions, ...topLevelExpressions(expressions)]),
      ...listMatches(loaded, expressions),
    ],
    isWhole: () => loaded.every(({ list }) => list !== null) && damagedRules.length === 0,
    generation: () => [generationOf(folder), ...unread()].join(' '),
    status: () => {
      const decisions = [...rules.values()].map(({ decision }) => decision);
      return {
        lists: loaded.map(statusOf),
        allowed: decisions.filter((decision) => decision === 'allow').length,
        blocked: decisions.filter((decision) => decision === 'block').length,
        damagedRules,
      };
    },
    close: () => {
      for (const { list } of loaded) list?.close();
      loaded = [];
      generation = null;
    },
  };
}

/** Opens what has changed or may be read now, keeps what is as it was. */
async function reload(folder: string, earlier: readonly Loaded[]): Promise<Loaded[]> {
  const names = await namesIn(pathsOf(folder).lists);
  const sources = names.map(sourceOfFile).filter((source) => source !== null);
  const next: Loaded[] = [];
  for (const source of sources) {
    const before = earlier.find((loaded) => loaded.source === source);
    const newest = identityIfAny(listPaths(folder, source).current);
    const isSame = before !== undefined && newest !== null && before.newest === newest;
    const opened = isSame ? before : await open(folder, source, newest, before);
    // Where there is neither, the list has been removed since its name was read.
    if (opened.list !== null || opened.problem !== null) next.push(opened);
  }
  return next;
}

function closeUnused(earlier: readonly Loaded[], loaded: readonly Loaded[]): void {
  const used = new Set(loaded.map(({ list }) => list));
  for (const { list } of earlier) if (!used.has(list)) list?.close();
}

/** A file that is damaged or cannot be read does not put out of use what is loaded already. */
async function open(
  folder: string,
  source: string,
  identity: string | null,
  before: Loaded | undefined,
): Promise<Loaded> {
  const { list, problem, mayMend } = await openBestList(folder, source);
  const newest = mayMend ? null : identity;
  const standIn = problem === null ? null : (before?.list ?? null);
  if (standIn === null) return { source, list, problem, newest };
  list?.close();
  return { source, list: standIn, problem, newest };
}

function identityIfAny(path: string): string | null {
  try {
    return identityOf(path);
  } catch {
    return null; // opening the list will say what is wrong with it
  }
}

function statusOf({ source, list, problem }: Loaded): ListStatus {
  return {
    source,
    entries: list?.header.entries ?? 0,
    importedAtMs: list?.header.importedAtMs ?? null,
    format: list?.header.format ?? null,
    problem,
  };
}
