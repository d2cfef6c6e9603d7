import { forEachConcurrently, yieldToEventLoop } from '../../lib/event-loop.ts';
import { type CodeSelection, selectedBatches } from '../codes/lists/selection.ts';
import type { QrStore } from '../codes/ports.ts';
import type { Qr } from '../codes/qr.ts';
import type { CheckedDestination } from '../codes/urls/destination-check.ts';

import { Refused, reasonOf } from '../errors.ts';
import type { Acting, Clock } from '../ports.ts';
import type { Reason } from '../reasons.ts';
import type { BulkEdit, BulkEditChange, CodeEdit } from './bulk-edit.ts';
import type { BulkEditStore } from './ports.ts';

/** What a bulk edit would do. */
export interface BulkEditPreview {
  /** Codes in the selection. */
  readonly selected: number;
  /** In the order of the selection; a search selects newest first. */
  readonly edits: readonly CodeEdit[];
  /** Codes that cannot be edited. */
  readonly refused: readonly RefusedEdit[];
}

/** A code that a bulk edit leaves out, and why. */
export interface RefusedEdit {
  readonly code: string;
  readonly before: string;
  readonly after: string;
  /** A sentence. */
  readonly reason: Reason;
}

export interface BulkEditResult {
  readonly changed: number;
  readonly refused: readonly RefusedEdit[];
}

export type BulkEdits = ReturnType<typeof createBulkEdits>;

/** Maximum number of codes of a bulk edit. Their values are in memory and in one preview. */
export const maxBulkEditCodes = 10_000;

// A few milliseconds of work, during which other requests wait.
const batchSize = 1000;
const writeSize = 100;
// A remote check responds in about 50 ms.
const concurrentChecks = 8;
// Many times what writing the most codes takes. A process that was killed keeps its turn as long.
const leaseMs = 60_000;
const pollMs = 100;
// Less than a server waits for a request.
const patienceMs = 5000;

/** Creates edits of many codes at once. Each code gets the checks and the history of a single edit. */
export function createBulkEdits(deps: {
  store: BulkEditStore;
  qrs: Pick<QrStore, 'findMany' | 'searchBatch'>;
  checkDestination: (url: string) => Promise<CheckedDestination>;
  clock: Clock;
  /** Waits for milliseconds. */
  sleep: (ms: number) => Promise<void>;
}) {
  const { store, qrs, checkDestination, clock, sleep } = deps;

  /**
   * Waits for the account's turn. Returns until when it has it.
   *
   * @throws Refused when another bulk edit takes long
   */
  const lease = async (accountId: number): Promise<number> => {
    const deadlineMs = clock.monotonicMs() + patienceMs;
    for (;;) {
      const nowMs = clock.nowMs();
      const untilMs = nowMs + leaseMs;
      if (await store.lease(accountId, nowMs, untilMs)) return untilMs;
      if (clock.monotonicMs() > deadlineMs) throw new Refused({ kind: 'bulk edit running' });
      await sleep(pollMs);
    }
  };

  /**
   * Plans an edit and writes it, one of an account at a time, in whatever process.
   * Plans again when another one was written since: its codes have other values now.
   *
   * @param plan gets the last bulk edit, and returns what writes
   */
  const inTurn = async <T>(
    accountId: number,
    plan: (last: BulkEdit | null) => Promise<() => Promise<T>>,
  ): Promise<T> => {
    for (;;) {
      const last = await store.last(accountId);
      const write = await plan(last);
      const untilMs = await lease(accountId);
      try {
        if (Bun.deepEquals(await store.last(accountId), last)) return await write();
      } finally {
        await store.release(accountId, untilMs);
      }
    }
  };

  /** @throws Refused when there are more than `maxBulkEditCodes` */
  const select = async (accountId: number, selection: CodeSelection): Promise<Qr[]> => {
    const found: Qr[] = [];
    for await (const batch of selectedBatches(qrs, accountId, selection)) {
      found.push(...batch);
      if (found.length > maxBulkEditCodes)
        throw new Refused({ kind: 'too many selected', max: maxBulkEditCodes });
    }
    return found;
  };

  /** Counts the codes of a selection. Returns null for more than an edit takes. */
  const countSelected = async (
    accountId: number,
    selection: CodeSelection,
  ): Promise<number | null> => {
    let count = 0;
    for await (const batch of selectedBatches(qrs, accountId, selection)) {
      count += batch.length;
      if (count > maxBulkEditCodes) return null;
    }
    return count;
  };

  /** Checks destinations concurrently. */
  const check = async (edits: readonly CodeEdit[]): Promise<ScheduledEdits> => {
    const checked = new Array<CodeEdit | RefusedEdit>(edits.length);
    await forEachConcurrently(edits.entries(), concurrentChecks, async ([index, edit]) => {
      checked[index] = await checkDestination(edit.after).then(
        ({ needsRecheck }) => ({ ...edit, needsRecheck }),
        (error) => refusal(edit, error),
      );
      if (index % writeSize === 0) await yieldToEventLoop();
    });
    return separate(checked);
  };

  /** Checks the one destination of edits. @throws ApiError invalid_url or unsafe_url */
  const checkOne = async (edits: readonly CodeEdit[], url: string): Promise<ScheduledEdits> => {
    const { needsRecheck } = await checkDestination(url);
    return { edits: edits.map((edit) => ({ ...edit, needsRecheck })), refused: [] };
  };

  const preview = async (
    accountId: number,
    selection: CodeSelection,
    change: BulkEditChange,
  ): Promise<BulkEditPreview> => {
    if (change.kind === 'replace' && change.replaced === '')
      throw new Refused({ kind: 'nothing to replace' });
    const selected = await select(accountId, selection);
    const planned = separate(selected.flatMap((qr) => planEdit(qr, change) ?? []));
    const { edits, refused } =
      change.kind !== 'replace'
        ? planned
        : change.replaced === null
          ? await checkOne(planned.edits, change.replacement)
          : await check(planned.edits);
    return { selected: selected.length, edits, refused };
  };

  /** Runs a write in slices, so that other requests are not delayed. Returns how many codes were changed. */
  const inSlices = async (
    edits: readonly CodeEdit[],
    run: (slice: readonly CodeEdit[]) => Promise<string[]>,
  ): Promise<number> => {
    let changed = 0;
    for (let at = 0; at < edits.length; at += writeSize) {
      changed += (await run(edits.slice(at, at + writeSize))).length;
      await yieldToEventLoop();
    }
    return changed;
  };

  return {
    /** Returns the codes of a selection. @throws Refused when there are more than `maxBulkEditCodes` */
    select,
    countSelected,

    /**
     * Returns what a bulk edit would change, without changing anything.
     *
     * @throws Refused when the change is empty or there are too many codes
     * @throws ApiError when one destination for all codes is invalid or unsafe
     */
    preview,

    /**
     * Edits all codes of the selection that can be edited. It becomes the account's last bulk edit.
     *
     * @throws Refused when the change is empty or there are too many codes
     * @throws ApiError when one destination for all codes is invalid or unsafe
     */
    apply: (
      { accountId, by }: Acting,
      selection: CodeSelection,
      change: BulkEditChange,
    ): Promise<BulkEditResult> =>
      inTurn(accountId, async () => {
        const { edits, refused } = await preview(accountId, selection, change);
        return async () => {
          if (edits.length === 0) return { changed: 0, refused };
          const atMs = clock.nowMs();
          const id = await store.begin(accountId, change, atMs);
          const changed = await inSlices(edits, (slice) => store.apply(by, id, slice, atMs));
          return { changed, refused };
        };
      }),

    /** Returns the account's last bulk edit if it is not undone. */
    last: (accountId: number): Promise<BulkEdit | null> => store.last(accountId),

    /**
     * Undoes the account's last bulk edit, if nothing else changed its codes.
     *
     * @returns the number of codes that have their earlier value again
     * @throws Refused when there is none, a code was changed since, or an earlier destination is
     *   rejected now; nothing is changed then
     */
    undo: ({ accountId, by }: Acting): Promise<number> =>
      inTurn(accountId, async (last) => {
        if (last === null) throw new Refused({ kind: 'no bulk edit to undo' });
        if (last.changedSince > 0)
          throw new Refused({
            kind: 'changed since',
            changed: last.changedSince,
            codes: last.codes,
          });
        const recorded: CodeEdit[] = [];
        for (let afterId = 0; ; ) {
          const batch = await store.edits(last.id, afterId, batchSize);
          recorded.push(...batch);
          const newest = batch.at(-1);
          if (newest === undefined) break;
          afterId = newest.qrId;
          await yieldToEventLoop();
        }
        const reversed = recorded.map((edit) => ({
          ...edit,
          before: edit.after,
          after: edit.before,
        }));
        const { edits, refused } =
          last.change.kind === 'replace' ? await check(reversed) : separate(reversed);
        const [first] = refused;
        if (first !== undefined)
          throw new Refused({
            kind: 'earlier destination rejected',
            code: first.code,
            reason: first.reason,
          });
        return () => inSlices(edits, (slice) => store.revert(by, last.id, slice, clock.nowMs()));
      }),
  };
}

type ScheduledEdits = Pick<BulkEditPreview, 'edits' | 'refused'>;

function separate(planned: readonly (CodeEdit | RefusedEdit)[]): ScheduledEdits {
  const edits: CodeEdit[] = [];
  const refused: RefusedEdit[] = [];
  for (const edit of planned)
    if ('reason' in edit) refused.push(edit);
    else edits.push(edit);
  return { edits, refused };
}

/** Returns the edit of one code, a refusal, or null when nothing changes. */
function planEdit(qr: Qr, change: BulkEditChange): CodeEdit | RefusedEdit | null {
  const { id: qrId, code, destination } = qr;
  if (change.kind === 'replace') {
    const { replaced, replacement } = change;
    const after =
      replaced === null ? replacement : destination.replaceAll(replaced, () => replacement);
    if (after === destination) return null;
    return { qrId, code, before: destination, after, needsRecheck: false };
  }
  const [before, after] = valuesOf(qr, change);
  if (before === after) return null;
  const edit = { qrId, code, before, after, needsRecheck: false };
  const isOfStatus = change.kind === 'pause' || change.kind === 'resume';
  return isOfStatus && qr.status === 'blocked'
    ? { ...edit, reason: { kind: 'blocked by the operator' } }
    : edit;
}

/** Returns the value of a code that is recorded before and after a change. */
function valuesOf(
  { status, isArchived, folder }: Qr,
  change: Exclude<BulkEditChange, { kind: 'replace' }>,
): [before: string, after: string] {
  switch (change.kind) {
    case 'pause':
      return [status, 'paused'];
    case 'resume':
      return [status, 'active'];
    case 'folder':
      return [folder ?? '', change.folder ?? ''];
    default:
      return [
        isArchived ? 'archived' : 'listed',
        change.kind === 'archive' ? 'archived' : 'listed',
      ];
  }
}

/** @throws the error itself if it does not reject the destination */
function refusal({ code, before, after }: CodeEdit, error: unknown): RefusedEdit {
  const rejected = reasonOf(error);
  const reason = after === '' ? ({ kind: 'nothing left of the destination' } as const) : rejected;
  return { code, before, after, reason };
}
