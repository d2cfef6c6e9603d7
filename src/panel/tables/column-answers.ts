import type { DraftView } from '../../core/batches/batches.ts';
import { columnRoles, type Role } from '../../core/batches/columns.ts';
import type { TableOptions } from '../../core/batches/table.ts';
import { encodings } from '../../core/codes/tables/encodings.ts';
import { separatorNames } from '../../core/codes/tables/separator.ts';
import type { FormFields } from '../request/request.ts';

/** What somebody typed about a table, and what the page had when it was drawn. */
export interface TypedAnswers {
  readonly options: TableOptions;
  /** The roles of the columns; null for those that are not chosen, and undefined if the page was not sent. */
  readonly roles: readonly (Role | null)[] | undefined;
  /** The roles that the page was drawn with. */
  readonly drawnRoles: readonly (Role | null)[];
}

// More than a table has columns.
const maxRoles = 200;
const maxTextLength = 200;

/** Reads what somebody typed about a table. @param languages those of the browser */
export function typedAnswers(typed: FormFields, languages: readonly string[]): TypedAnswers {
  const text = (name: string) => typed.text(name).slice(0, maxTextLength) || undefined;
  const encoding = text('other-encoding') ?? text('encoding');
  const place = {
    sheet: text('sheet'),
    separator: separatorNames.find((one) => one === text('separator')),
  };
  // What was said of the columns of another sheet does not count.
  const isSent = typed.text('table') === tableKey(place);
  const toRole = (name: string) => columnRoles.find((role) => role === name) ?? null;
  const drawnRoles = typed.text('drawn').split(',').slice(0, maxRoles).map(toRole);
  return {
    options: {
      ...place,
      encoding: encodings.find((one) => one === encoding),
      header: isSent ? typed.text('header') === 'yes' : undefined,
      languages,
    },
    roles: isSent
      ? drawnRoles.map((_, column) => toRole(typed.text(`column-${column}`)))
      : undefined,
    drawnRoles,
  };
}

/** Returns the languages of a browser, the preferred one first (RFC 9110, 12.5.4, without weights). */
export function browserLanguages({ headers }: Request): string[] {
  const [...tags] = (headers.get('accept-language') ?? '')
    .slice(0, 500)
    .matchAll(/[a-z]{2,3}(?:-[\w-]+)?/gi);
  return tags.map(([tag]) => tag);
}

/** What a column is, as the page shows it. */
export interface ColumnAnswer {
  readonly role: Role | null;
  /** How the role is known; null where it is not. */
  readonly by: 'you' | 'lastTime' | 'itsName' | 'addresses' | null;
}

/** What is said of a table, and what is open. */
export interface AnswerState {
  readonly view: DraftView;
  readonly options: TableOptions;
  readonly answers: readonly ColumnAnswer[];
  readonly open: OpenQuestion;
  /** How many answers are open: the letters, the destination, and each other column. */
  readonly openAnswers: number;
}

/** What is to be answered next. */
type OpenQuestion =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'letters' }
  | { readonly kind: 'destination' }
  /** A column of addresses that is not the destination. */
  | { readonly kind: 'addresses'; readonly column: number }
  /** Columns that may be ignored together. */
  | { readonly kind: 'others'; readonly count: number };

/** Identifies the cells of a file that are shown. */
export function tableKey({ sheet, separator }: TableOptions): string {
  return JSON.stringify([sheet ?? '', separator ?? '']);
}

/** Returns what is said of a table: what was typed, else what was said before, else what is plain. */
export function answerState(view: DraftView, typed: TypedAnswers, pressed: string): AnswerState {
  const { columns, remembered } = view;
  const presets = columns.map(({ role, by }, column): ColumnAnswer => {
    const last = remembered?.[column];
    if (last !== undefined) return { role: last, by: 'lastTime' };
    if (role === null) return { role: null, by: null };
    return { role, by: by === 'addresses' ? 'addresses' : 'itsName' };
  });
  const options: TableOptions = {
    ...typed.options,
    sheet: typed.options.sheet ?? view.sheets[0],
    separator: typed.options.separator ?? view.separator ?? undefined,
    header: view.hasHeader,
  };
  const chosen = typed.roles?.length === columns.length ? typed.roles : null;
  const wanted =
    chosen === null ? null : withButton(withoutTwice(chosen, typed.drawnRoles), pressed);
  const answers = presets.map((preset, column): ColumnAnswer => {
    if (wanted === null) return preset;
    const role = wanted[column] ?? null;
    // With other letters or another header, a column may have got a name that is known.
    const isFree = preset.by === 'itsName' && !wanted.includes(preset.role);
    if (role === null) return isFree && chosen?.[column] === null ? preset : { role, by: null };
    return role === preset.role ? preset : { role, by: 'you' };
  });
  const open = openQuestion(view, answers);
  return { view, options, answers, open, openAnswers: countOpen(view, answers, open) };
}

/** Returns roles of which each is that of one column: where it was chosen last. */
function withoutTwice(
  roles: readonly (Role | null)[],
  drawn: readonly (Role | null)[],
): readonly (Role | null)[] {
  return roles.map((role, column) => {
    const isElsewhere = roles.some(
      (other, at) => other === role && at !== column && (drawn[at] !== role || at < column),
    );
    const isNew = drawn[column] !== role;
    return role !== null && role !== 'ignore' && isElsewhere && !isNew ? null : role;
  });
}

/** Returns the roles after a button: one that names the destination, or ignores what is open. */
function withButton(roles: readonly (Role | null)[], pressed: string): readonly (Role | null)[] {
  if (pressed === 'ignore') return roles.map((role) => role ?? 'ignore');
  const column = /^destination (\d{1,3})$/.exec(pressed)?.[1];
  if (column === undefined) return roles;
  return roles.map((role, at) =>
    at === Number(column) ? 'destination' : role === 'destination' ? null : role,
  );
}

function openQuestion(view: DraftView, answers: readonly ColumnAnswer[]): OpenQuestion {
  if (view.isEncodingOpen) return { kind: 'letters' };
  if (!answers.some(({ role }) => role === 'destination')) return { kind: 'destination' };
  const isOpen = (column: number) => answers[column]?.role === null;
  const column = view.columns.findIndex(({ hasAddresses }, at) => hasAddresses && isOpen(at));
  if (column !== -1) return { kind: 'addresses', column };
  const count = answers.filter(({ role }) => role === null).length;
  return count === 0 ? { kind: 'nothing' } : { kind: 'others', count };
}

function countOpen(
  { columns }: DraftView,
  answers: readonly ColumnAnswer[],
  open: OpenQuestion,
): number {
  const isMissing = !answers.some(({ role }) => role === 'destination');
  // One of those with addresses is the destination that is open.
  const others = answers.filter(
    ({ role }, at) => role === null && !(isMissing && columns[at]?.hasAddresses),
  ).length;
  const isAlone = isMissing && !columns.some(({ hasAddresses }) => hasAddresses);
  return others - (isAlone ? 1 : 0) + (isMissing ? 1 : 0) + (open.kind === 'letters' ? 1 : 0);
}

/** Returns the roles of all columns; null while one is open. */
export function decidedRoles({ answers, open }: AnswerState): readonly Role[] | null {
  return open.kind === 'nothing' ? answers.flatMap(({ role }) => role ?? []) : null;
}
