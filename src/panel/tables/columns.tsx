/** @jsxImportSource preact */

import { choicesOf, type DraftView } from '../../core/batches/batches.ts';
import {
  columnRoles,
  namedUtm,
  type Role,
  type ShownColumn,
  type UtmName,
  utmNames,
} from '../../core/batches/columns.ts';
import type { TableOptions } from '../../core/batches/table.ts';
import { encodings } from '../../core/codes/tables/encodings.ts';
import { separatorNames } from '../../core/codes/tables/separator.ts';
import { Refused } from '../../core/errors.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { columnLetters } from '../../lib/spreadsheet/cells.ts';
import { escapeBidiMarks, readableUrl } from '../../lib/text/readable-url.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { encodingName } from '../../sentences/tables.ts';
import type { PanelDeps } from '../request/deps.ts';
import { type FormFields, noFields, type SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { Notice, PageHead, ScrollRegion } from '../ui/components.tsx';
import { type Choice, Options } from '../ui/fields.tsx';
import { Icon } from '../ui/icons.tsx';
import { StudioStyle } from '../ui/layout.tsx';
import { ButtonLink, Form, HiddenFields, Submit, useTexts } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { batchCrumbs, batchPath, columnsPath, fileOf, findBatch } from './batch-path.ts';
import {
  type AnswerState,
  answerState,
  browserLanguages,
  type ColumnAnswer,
  decidedRoles,
  type TypedAnswers,
  tableKey,
  typedAnswers,
} from './column-answers.ts';
import { columnName } from './row-table.tsx';

/** Creates the routes that ask what is in the columns of a table. */
export function columnsRoutes(deps: PanelDeps): Route[] {
  const { batches } = deps;
  return [
    editor.get('/account/batches/:id/columns', async (context) =>
      showColumns(deps, context, noFields),
    ),
    editor.post(
      '/account/batches/:id/columns',
      async (context, typed) => {
        const { accountId } = context;
        const batch = await findBatch(batches, context);
        // Sending the form twice creates the codes once.
        if (batch.state !== 'draft') return redirectTo(context, batchPath(batch.id));
        const pressed = typed.text('do');
        const isDone = pressed === 'go' || pressed === 'ignore';
        if (!isDone) return showColumns(deps, context, typed);
        try {
          const { state } = await readState(deps, context, batch.id, typed);
          const roles = decidedRoles(state);
          if (roles === null) return await showColumns(deps, context, typed, 422);
          const columns = choicesOf(roles);
          await batches.answer(accountId, batch.id, { ...state.options, columns });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          return showColumns(deps, context, typed, 422, panelSentence(error.reason, context.texts));
        }
        return redirectTo(context, batchPath(batch.id));
      },
      { needsPlan: true },
    ),
  ];
}

interface ReadState {
  readonly state: AnswerState;
  /** Why the table cannot be read as somebody said; null if it can. */
  readonly problem: string | null;
}

/** Reads the table of a draft as somebody said, or else without that. */
async function readState(
  { batches }: PanelDeps,
  { accountId, request, texts }: SignedInContext,
  batchId: number,
  typed: FormFields,
): Promise<ReadState> {
  const said = typedAnswers(typed, browserLanguages(request));
  const stateWith = async (answers: TypedAnswers) => {
    const view: DraftView = await batches.look(accountId, batchId, answers.options);
    return answerState(view, answers, typed.text('do'));
  };
  try {
    return { state: await stateWith(said), problem: null };
  } catch (error) {
    if (!(error instanceof Refused) || typed === noFields) throw error;
    const plain = typedAnswers(noFields, browserLanguages(request));
    return { state: await stateWith(plain), problem: panelSentence(error.reason, texts) };
  }
}

/** Responds with the page that asks what is in the columns of a table. */
async function showColumns(
  deps: PanelDeps,
  context: SignedInContext,
  typed: FormFields,
  status = 200,
  refusal: string | null = null,
): Promise<Response> {
  const { texts: t } = context;
  const batch = await findBatch(deps.batches, context);
  const { state, problem } = await readState(deps, context, batch.id, typed);
  const isAsked = status !== 200;
  const usable = await deps.qrs.newDomains.usable(context.accountId);
  return page(
    context,
    t.columns.title,
    <>
      <Crumb above={batchCrumbs(t)}>{fileOf(batch) ?? t.tables.pastedTable}</Crumb>
      <StudioStyle />
      <Columns
        {...state}
        batchId={batch.id}
        file={fileOf(batch)}
        problem={refusal ?? problem}
        isAsked={isAsked}
        hasDomains={usable.length > 1}
      />
    </>,
    problem === null ? status : 422,
  );
}

interface ColumnsProps extends AnswerState {
  readonly batchId: number;
  /** Name of the file; null for a pasted table. */
  readonly file: string | null;
  /** Why the table cannot be read in this way. */
  readonly problem: string | null;
  /** Whether somebody wanted to go on, so that what is open is marked. */
  readonly isAsked: boolean;
  /** Whether the account may print with several domains. */
  readonly hasDomains: boolean;
}

function Columns({ batchId, file, problem, isAsked, hasDomains, ...state }: ColumnsProps) {
  const { view, options, answers, open, openAnswers } = state;
  const t = useTexts();
  return (
    <>
      <PageHead
        title={t.columns.title}
        text={t.columns.nothingCreatedYet}
        beside={
          <span id="to-choose" data-live>
            {openAnswers > 0 && (
              <span class="pill plain">{t.columns.toChoose({ answers: openAnswers })}</span>
            )}
          </span>
        }
      >
        <ButtonLink to="/account/batches">{t.tables.useAnother}</ButtonLink>
      </PageHead>
      <Form to={columnsPath(batchId)} class="draft" data-live-form>
        {/* The first button is the one that Enter presses. */}
        <Submit class="button no-script" name="do" value="check">
          {t.columns.readItSo}
        </Submit>
        <div class="said" id="table-problem" data-live>
          {problem !== null && <Notice kind="bad" title={problem} />}
        </div>
        {view.readings.length > 0 && (
          <Letters {...state} file={file} isAsked={isAsked && open.kind === 'letters'} />
        )}
        <TableForm view={view} options={options} />
        <section class="card" id="columns" aria-labelledby="columns-title" data-live>
          <HiddenFields
            values={{
              table: tableKey(options),
              drawn: answers.map(({ role }) => role ?? '').join(),
            }}
          />
          <div class="cardhead">
            <h2 id="columns-title">{t.columns.columns}</h2>
            <span class="small soft">
              {t.columns.firstOfRows(view)}
              {open.kind === 'letters' && ` ${t.columns.unknownLetters}`}
            </span>
          </div>
          <WhichAddress {...state} />
          <ScrollRegion label={t.columns.columnsOfTable}>
            <ol class="columns">
              {view.columns.map((column, at) => (
                <ColumnItem
                  key={at}
                  at={at}
                  column={column}
                  answer={answers[at] ?? { role: null, by: null }}
                  hasDomains={hasDomains}
                  isMissing={isAsked && isMissing(state, at)}
                  isFirstMissing={isAsked && at === firstMissing(state)}
                />
              ))}
            </ol>
          </ScrollRegion>
        </section>
        <div class="savebar">
          <span class="small soft" id="bar" data-live>
            {barText(t, state)}
          </span>
          <span class="grow" />
          <span class="whole" id="go" data-live>
            <Submit name="do" value={open.kind === 'others' ? 'ignore' : 'go'}>
              {goText(t, state)}
            </Submit>
          </span>
        </div>
      </Form>
    </>
  );
}

/** Returns whether a column has to be decided on before the rows can be checked. */
function isMissing({ view, answers, open }: AnswerState, at: number): boolean {
  if (answers[at]?.role !== null) return false;
  if (open.kind === 'destination') return view.columns[at]?.hasAddresses ?? false;
  return open.kind === 'addresses' && open.column === at;
}

function firstMissing(state: AnswerState): number {
  const first = state.answers.findIndex((_, at) => isMissing(state, at));
  return first === -1 && state.open.kind === 'destination' ? 0 : first;
}

/** Says what is open. */
function barText({ columns, lists }: Texts, { answers, open, openAnswers }: AnswerState): string {
  switch (open.kind) {
    case 'letters':
      return columns.lettersOpen;
    case 'destination':
      return openAnswers === 1
        ? columns.destinationOpen
        : columns.destinationAndOthersOpen({ others: openAnswers - 1 });
    case 'addresses':
    case 'others':
      return columns.columnsOpen({ columns: openAnswers });
    case 'nothing': {
      const unused = answers.filter(({ role }) => role === 'ignore').length;
      if (unused === 0) return columns.allHavePlace;
      return lists.nextSentence({
        sentences: columns.allHavePlace,
        sentence: columns.notUsed({ columns: unused }),
      });
    }
    default:
      return open satisfies never;
  }
}

/** Says what the button does, or what is missing. */
function goText({ columns }: Texts, { view, open }: AnswerState): string {
  switch (open.kind) {
    case 'letters':
      return columns.chooseRightLine;
    case 'destination':
      return columns.chooseDestination;
    case 'addresses':
      return columns.chooseFor({ column: titleOf(view.columns[open.column], open.column) });
    case 'others':
      return columns.ignoreOthers({ columns: open.count });
    case 'nothing':
      return columns.checkRows(view);
    default:
      return open satisfies never;
  }
}

/** Returns the header of a column, or its letter. */
function titleOf(column: ShownColumn | undefined, at: number): string {
  return shorten(escapeBidiMarks(column?.header || columnLetters(at)), 40);
}

/** Asks which of several columns of addresses phones should open. */
function WhichAddress({ view, open }: AnswerState) {
  const t = useTexts();
  const columns = view.columns.flatMap((column, at) =>
    column.hasAddresses ? [{ at, name: titleOf(column, at) }] : [],
  );
  if (open.kind !== 'destination' || columns.length < 2) return null;
  return (
    <div class="which">
      <Icon name="ask" />
      <p>
        <b>{t.columns.haveAddresses({ columns: columns.length })}</b> {t.columns.whichOpens}
      </p>
      <span class="row">
        {columns.slice(0, maxAddressButtons).map(({ at, name }) => (
          <Submit key={at} class="button small" name="do" value={`destination ${at}`}>
            {name}
          </Submit>
        ))}
      </span>
    </div>
  );
}

const maxAddressButtons = 4;

/** The sheet, what separates cells, and whether the first row is a header. */
function TableForm({ view, options }: { view: DraftView; options: TableOptions }) {
  const { sheets, separator, hasHeader } = view;
  const t = useTexts();
  return (
    <section class="card pad" aria-label={t.tables.table} id="table-form" data-live>
      <div class="fields fold">
        {sheets.length > 1 && (
          <SelectField
            name="sheet"
            label={t.columns.sheet}
            options={sheets.map((sheet) => ({ value: sheet, text: escapeBidiMarks(sheet) }))}
            chosen={options.sheet ?? ''}
          />
        )}
        {separator !== null && (
          <SelectField
            name="separator"
            label={t.columns.separatedBy}
            options={separatorNames.map((value) => ({
              value,
              text: t.columns.separatorName({ separator: value }),
            }))}
            chosen={options.separator ?? separator}
          />
        )}
        <label class="check end">
          <input
            class="box"
            type="checkbox"
            id="header"
            name="header"
            value="yes"
            checked={hasHeader}
          />
          <span>{t.columns.firstRowHasNames}</span>
        </label>
      </div>
    </section>
  );
}

interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Choice[];
  readonly chosen: string;
}

function SelectField({ name, label, options, chosen }: SelectFieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select class="select" id={name} name={name}>
        <Options options={options} chosen={chosen} />
      </select>
    </div>
  );
}

/** Asks which encoding reads the letters of a file right. */
function Letters({
  view,
  options,
  file,
  isAsked,
}: AnswerState & { readonly file: string | null; readonly isAsked: boolean }) {
  const t = useTexts();
  const { readings } = view;
  const isOther =
    options.encoding !== undefined && !readings.some((one) => one.encoding === options.encoding);
  return (
    <section class="card pad stack" aria-label={t.columns.letters}>
      <fieldset
        class="stack tight"
        aria-describedby="letters-hint"
        aria-invalid={isAsked || undefined}
      >
        <legend class="legend">{t.columns.whichLine}</legend>
        <p class="small soft" id="letters-hint">
          {file === null
            ? t.columns.unknownEncodingOfTable
            : t.columns.unknownEncoding({ file: <bdi>{file}</bdi> })}
        </p>
        <div class="choices readings">
          {readings.map(({ encoding, words }, at) => (
            <label key={encoding} class="choice">
              <input
                class="box"
                type="radio"
                name="encoding"
                value={encoding}
                checked={encoding === options.encoding}
                autofocus={isAsked && at === 0}
              />
              <bdi>{escapeBidiMarks(words.join(' · '))}</bdi>
              <span class="small soft much">{encodingName(encoding, t)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <details open={isOther}>
        <summary>{t.columns.noneOfThese}</summary>
        <div class="stack tight">
          <SelectField
            name="other-encoding"
            label={t.columns.encoding}
            options={[
              { value: '', text: t.columns.chooseMenu },
              ...encodings.map((value) => ({ value, text: encodingName(value, t) })),
            ]}
            chosen={isOther ? (options.encoding ?? '') : ''}
          />
          <p class="hint">{t.columns.saveAsUtf8}</p>
        </div>
      </details>
    </section>
  );
}

/** Returns what a column may be: a domain where there are several, and a parameter of campaigns by its name. */
function roleChoices(
  t: Texts,
  { header }: ShownColumn,
  { role: chosen }: ColumnAnswer,
  hasDomains: boolean,
): readonly Choice[] {
  const isOffered = (role: Role) => {
    if (role === chosen) return true;
    if (role === 'domain') return hasDomains;
    return !isUtm(role) || role === namedUtm(header);
  };
  return [
    { value: '', text: t.columns.chooseMenu },
    ...columnRoles.filter(isOffered).map((role) => ({ value: role, text: roleText(t, role) })),
  ];
}

function roleText(t: Texts, role: Role): string {
  if (role === 'ignore') return t.columns.ignore;
  return isUtm(role) ? t.columns.campaignParameter({ parameter: role }) : columnName(role, t);
}

function isUtm(role: Role): role is UtmName {
  return utmNames.some((name) => name === role);
}

interface ColumnItemProps {
  readonly at: number;
  readonly column: ShownColumn;
  readonly answer: ColumnAnswer;
  /** Whether the account may print with several domains. */
  readonly hasDomains: boolean;
  readonly isMissing: boolean;
  readonly isFirstMissing: boolean;
}

/** A column: its letter and header, what it is, and its first cells. */
function ColumnItem({
  at,
  column,
  answer,
  hasDomains,
  isMissing,
  isFirstMissing,
}: ColumnItemProps) {
  const { header, values, hasAddresses } = column;
  const { role, by } = answer;
  const id = `column-${at}`;
  const t = useTexts();
  const known = by ?? (hasAddresses ? 'addresses' : null);
  const why = known === null ? '' : t.columns.knownBy({ by: known });
  return (
    <li class={role === 'destination' || role === 'ignore' ? role : undefined}>
      <label for={id}>
        <span class="small soft">{columnLetters(at)}</span>{' '}
        <bdi>{escapeBidiMarks(shorten(header))}</bdi>
      </label>
      <select
        class={role === null ? 'select open' : 'select'}
        id={id}
        name={id}
        aria-invalid={isMissing ? 'true' : undefined}
        aria-describedby={why === '' ? undefined : `${id}-why`}
        autofocus={isFirstMissing}
      >
        <Options options={roleChoices(t, column, answer, hasDomains)} chosen={role ?? ''} />
      </select>
      <span class="small soft why" id={`${id}-why`}>
        {why}
      </span>
      {values.map(({ text, link }, row) => (
        <span key={row} class="value">
          {text === '' && link === null ? (
            <i class="soft">{t.columns.emptyCell}</i>
          ) : (
            <bdi>{readableUrl(text)}</bdi>
          )}
          {link !== null && (
            <span class="small soft">
              <bdi>{readableUrl(link)}</bdi>
            </span>
          )}
        </span>
      ))}
    </li>
  );
}
