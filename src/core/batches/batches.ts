import { csvLine } from '../../lib/csv.ts';
import { forEachConcurrently, yieldToEventLoop } from '../../lib/event-loop.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { trimInvisible } from '../../lib/trim.ts';
import {
  type LabelName,
  labelFields,
  labelNames,
  mapLabels,
  type QrLabels,
} from '../codes/fields.ts';
import type { LinkImportStore, QrStore } from '../codes/ports.ts';
import type { FileNotice } from '../codes/tables/file-reasons.ts';
import { type CheckedDestination, createPreviewCheck } from '../codes/urls/destination-check.ts';
import { createNewDomains, findDomain, type NewDomains } from '../codes/urls/new-domain.ts';
import { foldPath, scopeOf } from '../codes/urls/resolve.ts';
import { withScheme } from '../codes/urls/typed-address.ts';
import { findPathConflicts, isPathConflict } from '../codes/urls/typed-path.ts';
import type { ReadabilityResult } from '../designs/design.ts';
import type { DesignStore, RendererFor } from '../designs/ports.ts';
import { ApiError, Refused, reasonOf } from '../errors.ts';
import { requesterOf } from '../fair-queue.ts';
import type { Acting, Clock } from '../ports.ts';
import type { Reason } from '../reasons.ts';
import {
  type Batch,
  type BatchRow,
  type BatchRowFilter,
  type BatchRowOutcome,
  decidedRows,
  maxBatchRows,
} from './batch.ts';
import type { ColumnChoice, Role, TextColumn } from './columns.ts';
import type { BatchStore, ColumnChoiceStore, FileReaders } from './ports.ts';
import type { BatchRunner } from './runner.ts';
import {
  duplicateProblem,
  parseRow,
  rowKey,
  type TableOptions,
  type TableReading,
  type TableView,
} from './table.ts';

/** A table whose rows are checked. */
export interface CheckedTable {
  /** The design of the codes. */
  readonly designId: number;
  readonly rows: readonly BatchRow[];
  /** Columns of the table that are not used. */
  readonly ignoredColumns: readonly string[];
  /** Sentences on what was recognized in the table, and what was changed or left out. */
  readonly notices: readonly FileNotice[];
  /** Names of the sheets that were not read. */
  readonly otherSheets: readonly string[];
  /** Readability of the design with a short link like those of the codes. */
  readonly readability: ReadabilityResult;
}

/** How the rows of a table are checked. */
export interface CheckOptions extends TableOptions {
  /** Default: the account's default design. */
  readonly designId?: number | undefined;
  /** Folder of the rows that name none. */
  readonly folder?: string | null | undefined;
  /** Whether rows are created again whose name and destination an existing code has. */
  readonly again?: boolean | undefined;
  readonly onProgress?: (rows: number, of: number) => void;
}

/** A table that was checked, or one about which somebody has to say more. */
export type TableCheck =
  | ({ readonly kind: 'checked' } & CheckedTable)
  | { readonly kind: 'open'; readonly view: TableView };

/** What somebody sees of the table of a draft, and what was said of one with these headers before. */
export interface DraftView extends TableView {
  /** By the positions of the columns; null when nothing was said. */
  readonly remembered: readonly Role[] | null;
}

const maxFileNameLength = 120;

/** A row as it was typed. */
export interface TypedRow extends Readonly<Record<LabelName | 'destination', string>> {
  /** Left out where the table has no such column. */
  readonly domain?: string;
}

function noticeOfFile(fileName = ''): FileNotice[] {
  const name = [...fileName.slice(0, 2 * maxFileNameLength)].slice(0, maxFileNameLength).join('');
  return name === '' ? [] : [{ kind: 'read from a file', name: name.toWellFormed() }];
}

/** What happens to a draft: rows are checked again, left out or put back. */
export interface Correction {
  /** Rows that were corrected, by their numbers. */
  readonly typed: ReadonlyMap<number, TypedRow>;
  /** A row, or all that have a problem. */
  readonly leaveOut?: number | 'all' | undefined;
  readonly putBack?: number | undefined;
  /** Whether rows are put back whose codes exist. */
  readonly again?: boolean | undefined;
}

export type Batches = ReturnType<typeof createBatches>;

// A remote check responds in about 50 ms.
const concurrentChecks = 8;
// About a millisecond of work.
const checksPerTick = 20;
const pollMs = 1000;

/** Creates many codes from a table: checks it first, and then creates the codes in the background. */
export function createBatches(deps: {
  store: BatchStore;
  columnChoices: ColumnChoiceStore;
  qrs: Pick<QrStore, 'findSame'>;
  paths: Pick<LinkImportStore, 'taken' | 'takenFolded' | 'reserved'>;
  designs: Pick<DesignStore, 'find' | 'findDefault'>;
  rendererFor: RendererFor<'checkReadability'>;
  readTable: FileReaders['readTable'];
  checkDestination: (url: string) => Promise<CheckedDestination>;
  /** Checks against rules and lists alone. */
  checkDestinationHere: (url: string) => Promise<CheckedDestination>;
  runner: BatchRunner;
  clock: Clock;
  /** Waits for milliseconds. */
  sleep: (ms: number) => Promise<void>;
  /** A short link as long as those of new codes. */
  sampleLink: string;
  /** Default: the main domain alone. */
  newDomains?: NewDomains;
}) {
  const {
    store,
    columnChoices,
    qrs,
    paths,
    designs,
    rendererFor,
    readTable,
    checkDestination,
    checkDestinationHere,
    runner,
    clock,
    sleep,
    sampleLink,
    newDomains = createNewDomains({ shortUrl: new URL(sampleLink).origin }),
  } = deps;

  const checkRow = async (
    row: BatchRow,
    checkDestination: (url: string) => Promise<CheckedDestination>,
  ): Promise<BatchRow> => {
    if (row.problem !== null) return row;
    try {
      await checkDestination(row.destination);
      return row;
    } catch (error) {
      return { ...row, problem: reasonOf(error) };
    }
  };

  const checkReadability = async (
    accountId: number,
    designId: number,
  ): Promise<ReadabilityResult> =>
    rendererFor(requesterOf(accountId)).checkReadability(sampleLink, await designs.find(designId));

  const add = async (
    acting: Acting,
    table: Pick<CheckedTable, 'designId' | 'rows' | 'notices'>,
    state: 'draft' | 'running',
    file?: Uint8Array,
  ) =>
    store.add({
      ...acting,
      designId: table.designId,
      state,
      digest: await tableDigest(table),
      rows: table.rows,
      notices: table.notices,
      file,
      atMs: clock.nowMs(),
      leaseUntilMs: 0,
    });

  /** Gives the rows a problem whose name and destination a code of the account has. */
  const markExisting = async (accountId: number, rows: BatchRow[]): Promise<void> => {
    const existing = new Set(await qrs.findSame(accountId, rows.filter(isGood)));
    for (const [index, row] of rows.entries())
      if (existing.has(row)) rows[index] = { ...row, problem: { kind: 'code exists' } };
  };

  /** Replaces the domains of rows by those of the account that they name, or gives the rows a problem. */
  const findDomains = async (accountId: number, rows: BatchRow[]): Promise<void> => {
    if (rows.every(({ domain }) => domain === undefined)) return;
    const usable = await newDomains.usable(accountId);
    for (const [index, row] of rows.entries()) {
      const { domain: text, problem } = row;
      if (text === undefined || problem !== null) continue;
      const domain = findDomain(text, usable);
      rows[index] =
        domain === null
          ? { ...row, problem: { kind: 'no domain of the account', url: shorten(text) } }
          : { ...row, domain };
    }
  };

  /**
   * Gives the rows a problem whose path cannot be had.
   *
   * @param others rows of the same table that are good
   */
  const markPaths = async (
    accountId: number,
    rows: BatchRow[],
    others: readonly BatchRow[] = [],
  ): Promise<void> => {
    const defaults = new Map<string | null, string>();
    for (const { folder, path, domain } of [...rows, ...others])
      if (path !== null && domain === null && !defaults.has(folder))
        defaults.set(folder, await newDomains.defaultOf(accountId, folder));
    const domainOf = ({ domain, folder }: BatchRow) =>
      domain ?? defaults.get(folder) ?? newDomains.shortUrl;
    /** Returns the path of a row as it is stored, see `scopeOf`; null without one. */
    const storedPath = (row: BatchRow) => row.path && scopeAt(domainOf(row)) + row.path;
    const scopeAt = (url: string) =>
      url === newDomains.shortUrl ? '' : scopeOf(new URL(url).host);
    const asked = rows.filter(isGood).flatMap((row) => storedPath(row) ?? []);
    const conflicts = await findPathConflicts(paths, accountId, asked, 'chosen', clock.nowMs());
    const formOf = (row: BatchRow) => foldPath(storedPath(row) ?? '');
    const firstRows = new Map(others.map((row) => [formOf(row), row.row]));
    for (const [index, row] of rows.entries()) {
      const { path, problem } = row;
      if (path === null || problem !== null) continue;
      const conflict = conflicts.get(storedPath(row) ?? '');
      const first = firstRows.get(formOf(row));
      if (conflict !== undefined) rows[index] = { ...row, problem: { kind: conflict, path } };
      else if (first === undefined) firstRows.set(formOf(row), row.row);
      else rows[index] = { ...row, problem: { kind: 'path of an earlier row', row: first } };
    }
  };

  /** Checks a corrected row like one of a table. */
  const checkTyped = async (
    row: number,
    { destination, ...texts }: TypedRow,
    seen: Map<string, number>,
  ): Promise<BatchRow> => {
    const text = trimInvisible(destination);
    const parsed = parseRow(row, withScheme(text), (name) => trimInvisible(texts[name] ?? ''));
    const checked = await checkRow(parsed, checkDestination);
    return checked.problem === null
      ? { ...checked, problem: duplicateProblem(checked, seen) }
      : checked;
  };

  const owned = async (accountId: number, batchId: number): Promise<Batch> => {
    const batch = await store.find(accountId, batchId);
    if (batch === null) throw new ApiError('not_found', { kind: 'no such batch' });
    return batch;
  };

  /** Checks the rows of a table that was read. */
  const checkRows = async (
    accountId: number,
    { rows: parsed, ignoredColumns, otherSheets, notices }: ReadTable,
    { designId, folder = null, again = false, onProgress }: CheckOptions,
  ): Promise<CheckedTable> => {
    const id = designId ?? (await designs.findDefault(accountId)).id;
    const readability = await checkReadability(accountId, id);
    const rows = parsed.map((row) => ({ ...row, folder: row.folder ?? folder }));
    await findDomains(accountId, rows);
    if (!again) await markExisting(accountId, rows);
    await markPaths(accountId, rows);
    let checked = 0;
    const checkOfTable = createPreviewCheck(checkDestination, checkDestinationHere);
    await forEachConcurrently([...rows].entries(), concurrentChecks, async ([index, row]) => {
      rows[index] = await checkRow(row, checkOfTable);
      onProgress?.(++checked, parsed.length);
      if (checked % checksPerTick === 0) await yieldToEventLoop();
    });
    return { designId: id, rows, ignoredColumns, notices, otherSheets, readability };
  };

  /** Returns the file of a draft. @throws ApiError not_found @throws Refused when it is not kept any more */
  const fileOf = async (accountId: number, batchId: number) => {
    const batch = await owned(accountId, batchId);
    const file = batch.state === 'draft' ? await store.findFile(batchId) : null;
    if (file === null) throw new Refused({ kind: 'file of the table gone' });
    return { batch, file };
  };

  const remembered = async (
    accountId: number,
    view: TableView,
  ): Promise<readonly Role[] | null> => {
    const headers = headersDigest(view);
    return headers === null ? null : columnChoices.find(accountId, headers);
  };

  return {
    /**
     * Checks a table as the creates would, without creating anything.
     *
     * @param table a file, `.xlsx` and `.ods` included, or pasted text, see `FileReaders`
     * @throws Refused when it is no table
     */
    check: async (
      accountId: number,
      table: Uint8Array | string,
      options: CheckOptions = {},
    ): Promise<TableCheck> => {
      const { designId, folder, again, onProgress, ...said } = options;
      const read = await readTable(table, said, requesterOf(accountId));
      if (read.kind === 'open') return read;
      return { kind: 'checked', ...(await checkRows(accountId, read, options)) };
    },

    /**
     * Reads a table into a draft of the account.
     * Its rows are checked if there is no doubt what each column is, or if that was said of the same headers before.
     * Otherwise the draft has no rows, until `answer` says so.
     *
     * @throws Refused when it is no table
     */
    open: async (
      acting: Acting,
      table: Uint8Array,
      { fileName, languages }: { fileName?: string | undefined; languages: readonly string[] },
    ): Promise<{ readonly id: number; readonly isOpen: boolean }> => {
      const { accountId } = acting;
      const file = noticeOfFile(fileName);
      const read = (options: TableOptions) =>
        readTable(table, { ...options, languages }, requesterOf(accountId));
      const save = async (found: ReadTable, ...kept: readonly Uint8Array[]) => {
        const checked = await checkRows(accountId, found, {});
        const notices = [...file, ...found.notices];
        return { id: await add(acting, { ...checked, notices }, 'draft', ...kept), isOpen: false };
      };
      const first = await read({});
      if (first.kind === 'read' && first.ignoredColumns.length === 0) return save(first);
      const roles = await remembered(accountId, first.view);
      if (roles !== null) {
        const again = await read({ header: true, columns: choicesOf(roles) });
        if (again.kind === 'read') return save(again, table);
      }
      const { id: designId } = await designs.findDefault(accountId);
      return {
        id: await add(acting, { designId, rows: [], notices: file }, 'draft', table),
        isOpen: true,
      };
    },

    /** Returns what somebody sees of the table of a draft. @throws ApiError not_found @throws Refused */
    look: async (accountId: number, batchId: number, options: TableOptions): Promise<DraftView> => {
      const { file } = await fileOf(accountId, batchId);
      const { view } = await readTable(file, { ...options, isLook: true }, requesterOf(accountId));
      return { ...view, remembered: await remembered(accountId, view) };
    },

    /**
     * Reads the table of a draft as somebody said, and checks its rows.
     * What was said of the columns is remembered for tables with the same headers.
     *
     * @returns what is shown while something is open, and null otherwise
     * @throws ApiError not_found
     * @throws Refused
     */
    answer: async (
      accountId: number,
      batchId: number,
      options: TableOptions & { readonly columns: readonly ColumnChoice[] },
    ): Promise<TableView | null> => {
      const { batch, file } = await fileOf(accountId, batchId);
      const read = await readTable(file, options, requesterOf(accountId));
      if (read.kind === 'open') return read.view;
      const { designId } = batch;
      const { rows, notices } = await checkRows(accountId, read, { designId });
      const named = batch.notices.filter(({ kind }) => kind === 'read from a file');
      const isDraft = await store.readAgain(accountId, batchId, {
        digest: await tableDigest({ designId, rows }),
        rows,
        notices: [...named, ...notices],
      });
      if (!isDraft) throw new Refused({ kind: 'batch started' });
      const headers = headersDigest(read.view);
      if (headers !== null) {
        const roles = read.view.columns.map(({ role }) => role ?? 'ignore');
        await columnChoices.keep(accountId, headers, roles, clock.nowMs());
      }
      return null;
    },

    /**
     * Corrects rows of a draft, and checks them as the creates would. Rows that are good stay as they are.
     *
     * @throws Refused when it is no draft any more
     */
    correct: async (accountId: number, batchId: number, correction: Correction): Promise<void> => {
      const { again = false } = correction;
      const rows = await store.rows(batchId, 'all', 0, maxBatchRows);
      const seen = new Map(rows.filter(isGood).map((row) => [rowKey(row), row.row]));
      const changed: BatchRow[] = [];
      for (const { code: _, ...row } of rows) {
        const cells = correction.typed.get(row.row) ?? cellsOf(row);
        switch (stepOf(row, cells, correction)) {
          case 'create again':
            changed.push({ ...row, problem: null });
            break;
          case 'leave out': {
            const parsed = parseRow(row.row, cells.destination, (name) => cells[name] ?? '');
            changed.push({ ...parsed, problem: { kind: 'left out' } });
            break;
          }
          case 'check':
            if (isGood(row)) seen.delete(rowKey(row));
            changed.push(await checkTyped(row.row, cells, seen));
            break;
          case 'keep':
        }
      }
      await findDomains(accountId, changed);
      if (changed.some(isGood) && !again) await markExisting(accountId, changed);
      const numbers = new Set(changed.map(({ row }) => row));
      const others = rows.filter((row) => isGood(row) && !numbers.has(row.row));
      await markPaths(accountId, changed, others);
      if (changed.length > 0 && !(await store.correct(accountId, batchId, changed)))
        throw new Refused({ kind: 'batch started' });
    },

    /**
     * Starts a draft: its codes are created in the background.
     *
     * @param choice.designId that of the check when left out
     * @param choice.folder of the rows that name none
     * @throws ApiError not_found, design_unreadable
     * @throws Refused when rows have problems, none is left, or the batch was started before
     */
    start: async (
      acting: Acting,
      batchId: number,
      choice: { designId?: number | undefined; folder?: string | null } = {},
    ): Promise<void> => {
      const { accountId } = acting;
      const batch = await owned(accountId, batchId);
      rejectProblems(batch, false);
      const { designId = batch.designId, folder = null } = choice;
      requireReadable(await checkReadability(accountId, designId));
      if (!(await store.start(acting, batchId, { designId, folder }, clock.nowMs())))
        throw new Refused({ kind: 'batch started' });
      runner.wake();
    },

    /**
     * Creates the codes of a checked table and waits for them. Continues an interrupted batch of the same
     * table and design instead of creating its codes a second time.
     *
     * @returns the batch, and how many of its codes an interrupted run had created
     * @throws ApiError design_unreadable
     * @throws Refused see `start`
     */
    run: async (
      acting: Acting,
      table: CheckedTable,
      isOnlyGood: boolean,
      onProgress: (decided: number) => void,
    ): Promise<Batch & { readonly createdBefore: number }> => {
      const { accountId } = acting;
      rejectProblems(countRows(table), isOnlyGood);
      requireReadable(table.readability);
      const unfinished = await store.findUnfinished(accountId, await tableDigest(table));
      const createdBefore = unfinished?.created ?? 0;
      const id = unfinished?.id ?? (await add(acting, table, 'running'));
      for (;;) {
        const isRun = await runner.run(id, onProgress);
        const batch = await owned(accountId, id);
        if (isRun || batch.state !== 'running') return { ...batch, createdBefore };
        // A server continues the interrupted batch, or the process that was killed has it leased still.
        onProgress(decidedRows(batch));
        await sleep(pollMs);
      }
    },

    /** Stops a running batch. Codes that are created stay. @throws ApiError not_found */
    stop: async (acting: Acting, batchId: number): Promise<void> => {
      const { id } = await owned(acting.accountId, batchId);
      await store.stop(acting, id, { kind: 'batch stopped' }, clock.nowMs());
    },

    /** @throws ApiError not_found */
    find: owned,
    /** Returns the newest batches, drafts included. */
    list: (accountId: number, limit: number): Promise<Batch[]> => store.list(accountId, limit),
    /** Returns rows of a batch after a row number. @throws ApiError not_found */
    rows: async (
      accountId: number,
      batchId: number,
      options: { filter: BatchRowFilter; afterRow: number; limit: number },
    ): Promise<BatchRowOutcome[]> => {
      const { id } = await owned(accountId, batchId);
      return store.rows(id, options.filter, options.afterRow, options.limit);
    },
  };
}

type ReadTable = Extract<TableReading, { readonly kind: 'read' }>;

/** Returns what is said of each column by roles in their order. */
export function choicesOf(roles: readonly Role[]): ColumnChoice[] {
  return roles.map((role, of) => ({ role, of }));
}

/** Identifies the headers of a table by their SHA-256; null without any. */
function headersDigest({ hasHeader, columns }: TableView): Uint8Array | null {
  if (!hasHeader) return null;
  const headers = columns.map(({ header }) => header.trim().toLowerCase());
  return new Uint8Array(Bun.SHA256.hash(JSON.stringify(headers)).buffer);
}

/** Counts the rows of a checked table. */
export function countRows({ rows }: Pick<CheckedTable, 'rows'>): RowCounts {
  const existing = rows.filter(({ problem }) => problem?.kind === 'code exists').length;
  const refused = rows.filter(({ problem }) => problem !== null).length - existing;
  return { rows: rows.length, refused, existing, leftOut: 0 };
}

/** @throws Refused */
function rejectProblems(
  { rows, refused, existing, leftOut }: RowCounts,
  isOnlyGood: boolean,
): void {
  if (refused === rows) throw new Refused({ kind: 'every row has a problem' });
  if (refused > 0 && !isOnlyGood) throw new Refused({ kind: 'rows with problems', refused, rows });
  if (refused + existing === rows) throw new Refused({ kind: 'all codes exist' });
  if (refused + existing + leftOut === rows) throw new Refused({ kind: 'every row left out' });
}

type RowCounts = Pick<Batch, 'rows' | 'refused' | 'existing' | 'leftOut'>;

function isGood({ problem }: Pick<BatchRow, 'problem'>): boolean {
  return problem === null;
}

/** Decides what a correction does with a row. @param cells what was typed, else what the row has */
function stepOf(
  row: BatchRow,
  cells: TypedRow,
  { typed, leaveOut, putBack, again = false }: Correction,
): 'create again' | 'leave out' | 'check' | 'keep' {
  const kind = row.problem?.kind;
  if (again && kind === 'code exists') return 'create again';
  const isRefused = kind !== undefined && kind !== 'code exists' && kind !== 'left out';
  if (leaveOut === row.row || (leaveOut === 'all' && isRefused)) return 'leave out';
  if (putBack === row.row && kind === 'left out') return 'check';
  // What is wrong with a cell of a spreadsheet is not seen in its text.
  const isOfCell = kind === 'computed link' || kind === 'no result in a cell';
  const isUnchanged = (isGood(row) || isOfCell) && isSame(row, cells);
  return typed.has(row.row) && !isUnchanged ? 'check' : 'keep';
}

function cellsOf(row: BatchRow): TypedRow {
  const { destination, domain = '' } = row;
  return { ...mapLabels((name) => row[name] ?? ''), destination, domain };
}

function isSame(row: BatchRow, typed: TypedRow): boolean {
  const cells = cellsOf(row);
  return (
    typed.destination === cells.destination &&
    (typed.domain ?? '') === cells.domain &&
    labelNames.every((name) => typed[name] === cells[name])
  );
}

/** Returns which text of a row its problem is about. */
export function wrongCell(row: QrLabels, problem: Reason): TextColumn {
  if (problem.kind === 'no domain of the account') return 'domain';
  if (isPathConflict(problem) || problem.kind === 'path of an earlier row') return 'path';
  const isWrong = (name: LabelName) => {
    try {
      labelFields[name].parse(row[name] ?? '');
      return false;
    } catch {
      return true;
    }
  };
  return labelNames.find(isWrong) ?? 'destination';
}

/** Returns whether a table of rows has a column: those that few codes have, if a row has one. */
function hasColumn(name: LabelName | 'domain', rows: readonly BatchRow[]): boolean {
  const isUsual = name !== 'path' && name !== 'query' && name !== 'domain';
  return isUsual || rows.some((row) => (row[name] ?? null) !== null);
}

const rowColumns = [...labelNames, 'domain'] as const;

/** Formats rows as a table that can be checked again. */
export function tableOfRows(rows: readonly BatchRow[]): string {
  const names = rowColumns.filter(
    (name) => name !== 'name' && (name === 'path' || hasColumn(name, rows)),
  );
  const columns = ['name', 'destination', ...names] as const;
  const lines = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return [[...columns], ...lines].map(csvLine).join('');
}

/**
 * Formats the rows that were refused as CSV, with the reasons.
 * The corrected file can be imported.
 *
 * @param say the words of who reads it
 */
export function refusedCsv(rows: readonly BatchRow[], say: (reason: Reason) => string): string {
  const refused = rows.filter(({ problem }) => problem !== null && problem.kind !== 'code exists');
  const names = rowColumns.filter((name) => hasColumn(name, refused));
  const cells = refused.map((row) => [
    String(row.row),
    ...names.map((name) => row[name] ?? ''),
    row.destination,
    row.problem === null ? '' : say(row.problem),
  ]);
  // Excel reads CSV as UTF-8 only with a byte order mark.
  return `\uFEFF${[['row', ...names, 'destination', 'problem'], ...cells].map(csvLine).join('')}`;
}

/** @throws ApiError design_unreadable */
function requireReadable({ isReadable, reasons, advice }: ReadabilityResult): void {
  if (isReadable) return;
  const reason = { kind: 'design unreadable', isDefault: false, reasons, advice } as const;
  throw new ApiError('design_unreadable', reason);
}

// About a millisecond of work with the longest rows.
const hashedPerTick = 200;

/** Identifies a table and its design by the SHA-256 of their JSON, which is hashed in parts. */
async function tableDigest({
  designId,
  rows,
}: Pick<CheckedTable, 'designId' | 'rows'>): Promise<Uint8Array> {
  const hasher = new Bun.CryptoHasher('sha256').update(`[${designId},[`);
  for (const [at, row] of rows.entries()) {
    const { destination, domain = null } = row;
    const content = JSON.stringify([destination, mapLabels((name) => row[name]), domain]);
    hasher.update(at === 0 ? content : `,${content}`);
    if (at % hashedPerTick === hashedPerTick - 1) await yieldToEventLoop();
  }
  return new Uint8Array(hasher.update(']]').digest());
}
