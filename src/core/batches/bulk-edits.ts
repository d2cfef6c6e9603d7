import { forEachConcurrently, yieldToEventLoop } from '../../lib/event-loop.ts';
import { type CodeSelection, selectedBatches } from '../codes/lists/selection.ts';
import type { QrStore } from '../codes/ports.ts';
import type { Qr } from '../codes/qr.ts';
import {
  type CheckedDestination,
  createPreviewCheck,
  fullyCheckedInPreview,
} from '../codes/urls/destination-check.ts';

import { Refused, reasonOf } from '../errors.ts';
import type { Acting, Clock } from '../ports.ts';
import {
  type BulkEdit,
  type BulkEditChange,
  type CodeEdit,
  isRunning,
  type RefusedEdit,
} from './bulk-edit.ts';
import type { BulkEditRunner } from './bulk-edit-runner.ts';
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

export type BulkEdits = ReturnType<typeof createBulkEdits>;

/** Maximum number of codes of a bulk edit. Their values are in memory and in one preview. */
export const maxBulkEditCodes = 10_000;

const checksPerTick = 100;
// A remote check responds in about 50 ms.
const concurrentChecks = 8;
// Many times what planning an edit takes. A process that was killed meanwhile keeps its turn as long.
const leaseMs = 60_000;
const pollMs = 100;
// Less than a server waits for a request.
const patienceMs = 5000;
/** An edit that takes longer has a page with its progress. */
const awaitedMs = 2000;

/**
 * Creates edits of many codes at once. Each code gets the checks and the history of a single edit.
 * An edit is recorded before its codes are changed, and the runner makes it: also after this process has ended.
 */
export function createBulkEdits(deps: {
  store: BulkEditStore;
  runner: BulkEditRunner;
  qrs: Pick<QrStore, 'findMany' | 'searchBatch'>;
  checkDestination: (url: string) => Promise<CheckedDestination>;
  /** Checks against rules and lists alone. The runner checks what is not fully checked. */
  checkDestinationHere: (url: string) => Promise<CheckedDestination>;
  clock: Clock;
  /** Waits for milliseconds. */
  sleep: (ms: number) => Promise<void>;
}) {
  const { store, runner, qrs, checkDestination, checkDestinationHere, clock, sleep } = deps;

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
   * Begins an edit or an undo in the account's turn, one at a time, in whatever process, and waits for its end.
   *
   * @param begin returns what is begun; null for nothing
   * @returns the edit, which may go on; null for nothing
   */
  const inTurn = async (
    accountId: number,
    begin: (heldUntilMs: number) => Promise<Pick<BulkEdit, 'id' | 'change'> | null>,
  ): Promise<BulkEdit | null> => {
    const untilMs = await lease(accountId);
    let begun: Pick<BulkEdit, 'id' | 'change'> | null = null;
    try {
      begun = await begin(untilMs);
    } finally {
      if (begun === null) await store.release(accountId, untilMs);
    }
    if (begun === null) return null;
    await Promise.race([runner.run({ ...begun, accountId }, untilMs), sleep(awaitedMs)]);
    return store.last(accountId);
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

  /**
   * Checks destinations concurrently.
   *
   * @param checkOthers checks those that a preview does not check fully
   */
  const check = async (
    edits: readonly CodeEdit[],
    checkOthers: (url: string) => Promise<CheckedDestination>,
  ): Promise<ScheduledEdits> => {
    const checkOfPreview = createPreviewCheck(checkDestination, checkOthers);
    const checked = new Array<CodeEdit | RefusedEdit>(edits.length);
    await forEachConcurrently(edits.entries(), concurrentChecks, async ([index, edit]) => {
      checked[index] = await checkOfPreview(edit.after).then(
        ({ needsRecheck }) => ({ ...edit, needsRecheck }),
        (error) => refusal(edit, error),
      );
      if (index % checksPerTick === 0) await yieldToEventLoop();
    });
    return separate(checked);
  };

  /** Checks the one destination of edits. @throws ApiError invalid_url or unsafe_url */
  const checkOne = async (edits: readonly CodeEdit[], url: string): Promise<ScheduledEdits> => {
    const { needsRecheck } = await checkDestination(url);
    return { edits: edits.map((edit) => ({ ...edit, needsRecheck })), refused: [] };
  };

  /** Plans an edit, see `check`. */
  const plan = async (
    accountId: number,
    selection: CodeSelection,
    change: BulkEditChange,
    checkOthers: (url: string) => Promise<CheckedDestination>,
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
          : await check(planned.edits, checkOthers);
    return { selected: selected.length, edits, refused };
  };

  /** Checks the first earlier destinations of an edit. @throws Refused when one is rejected now */
  const checkUndo = async ({ id, change }: BulkEdit): Promise<void> => {
    if (change.kind !== 'replace') return;
    const edits = await store.edits(id, 0, fullyCheckedInPreview);
    const reversed = edits.map((edit) => ({ ...edit, before: edit.after, after: edit.before }));
    const [first] = (await check(reversed, leftToRunner)).refused;
    if (first === undefined) return;
    const { code, reason } = first;
    throw new Refused({ kind: 'earlier destination rejected', code, reason });
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
    preview: (
      accountId: number,
      selection: CodeSelection,
      change: BulkEditChange,
    ): Promise<BulkEditPreview> => plan(accountId, selection, change, checkDestinationHere),

    /**
     * Edits all codes of the selection that can be edited. It becomes the account's last bulk edit.
     *
     * @returns the edit, which goes on in the background if it takes long; null when no code is to be changed
     * @throws Refused when the change is empty, there are too many codes, or another edit takes long
     * @throws ApiError when one destination for all codes is invalid or unsafe
     */
    apply: (
      acting: Acting,
      selection: CodeSelection,
      change: BulkEditChange,
    ): Promise<BulkEdit | null> =>
      inTurn(acting.accountId, async (heldUntilMs) => {
        const { edits } = await plan(acting.accountId, selection, change, leftToRunner);
        if (edits.length === 0) return null;
        const id = await store.begin(acting, heldUntilMs, change, edits, clock.nowMs());
        if (id === null) throw new Refused({ kind: 'bulk edit running' });
        return { id, change };
      }),

    /** Returns the account's last bulk edit. */
    last: (accountId: number): Promise<BulkEdit | null> => store.last(accountId),

    /** Returns codes that an edit left out for a reason. */
    refused: ({ id }: Pick<BulkEdit, 'id'>, limit: number): Promise<RefusedEdit[]> =>
      store.refused(id, limit),

    /**
     * Undoes the account's last bulk edit, if nothing else changed its codes.
     * Of many codes, one whose earlier destination is rejected now may stay as it is.
     *
     * @returns the edit, whose undo goes on in the background if it takes long
     * @throws Refused when there is none, it runs, a code was changed since, or one of the first earlier destinations is
     *   rejected now; nothing is changed then
     */
    undo: async (acting: Acting): Promise<BulkEdit> => {
      const undone = await inTurn(acting.accountId, async (heldUntilMs) => {
        const last = await store.last(acting.accountId);
        if (last === null || last.codes === 0) throw new Refused({ kind: 'no bulk edit to undo' });
        const { id, change, codes, changedSince } = last;
        if (changedSince > 0)
          throw new Refused({ kind: 'changed since', changed: changedSince, codes });
        await checkUndo(last);
        if (!(await store.beginUndo(acting, heldUntilMs, id)))
          throw new Refused({ kind: 'bulk edit running' });
        return { id, change };
      });
      // Another one can begin at once.
      if (undone === null) throw new Refused({ kind: 'no bulk edit to undo' });
      return undone;
    },

    /** Stops a bulk edit, or its undo, if it is the account's last and runs. What was done stays. */
    stop: async (accountId: number, id: number): Promise<void> => {
      const last = await store.last(accountId);
      if (last?.id === id && isRunning(last))
        await store.end(last.id, { kind: 'bulk edit stopped' });
    },
  };
}

/** Leaves the check of a destination to the runner. */
const leftToRunner = async (destination: string): Promise<CheckedDestination> => ({
  destination,
  needsRecheck: true,
});

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
  { status, isArchived, folder, query }: Qr,
  change: Exclude<BulkEditChange, { kind: 'replace' }>,
): [before: string, after: string] {
  switch (change.kind) {
    case 'pause':
      return [status, 'paused'];
    case 'resume':
      return [status, 'active'];
    case 'folder':
      return [folder ?? '', change.folder ?? ''];
    case 'query-on':
      return [query ?? '', 'on'];
    case 'query-off':
      return [query ?? '', ''];
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
