/** @jsxImportSource preact */

import { includesRole } from '../../core/accounts/people/role.ts';
import { type Batch, decidedRows, isAsked, maxBatchRows } from '../../core/batches/batch.ts';
import { refusedCsv } from '../../core/batches/batches.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { CodeTable } from '../codes/code-list.tsx';
import { readPageNumber } from '../codes/list-filters.tsx';
import { selectionValues } from '../codes/selection.ts';
import { SelectionBar } from '../codes/selection-bar.tsx';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { csvType, fileResponse } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { Facts, Menu, Notice, PageHead, Time } from '../ui/components.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import { PostButton, useMayEdit, useRequest, useTexts } from '../ui/page-context.tsx';
import { Pages } from '../ui/pages.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { batchCrumbs, batchPath, columnsPath, fileOf, findBatch } from './batch-path.ts';
import { showDraft } from './draft.tsx';
import { LeftOutRows } from './left-out-rows.tsx';

const reloadSeconds = 2;
const pageLength = 25;
/** Rows without a code that are read at a glance. */
const shownLeftOut = 50;

/** Creates the routes of one batch. */
export function batchRoutes(deps: PanelDeps): Route[] {
  const { batches, lists, qrs, savedDesigns, designs } = deps;
  /** Returns a page of the codes of a batch, in the order of its rows. */
  const readCodes = async ({ accountId, url, zone }: SignedInContext, { id, created }: Batch) => {
    const number = readPageNumber(url);
    const end = number * pageLength;
    if (number > 1 && end - pageLength >= created) throw pageNotFound();
    const options = { filter: 'created', afterRow: 0, limit: end } as const;
    const rows = (await batches.rows(accountId, id, options)).slice(end - pageLength);
    const found = await Promise.all(rows.map(({ code }) => qrs.get(accountId, code)));
    return { qrs: found, days: await lists.dailyScans(found, zone), number };
  };
  /** Returns the first rows without a code. */
  const readLeftOut = async ({ accountId }: SignedInContext, { id }: Batch) => {
    const read = (filter: 'refused' | 'leftOut') =>
      batches.rows(accountId, id, { filter, afterRow: 0, limit: shownLeftOut });
    const rows = [...(await read('refused')), ...(await read('leftOut'))];
    return rows.toSorted((one, other) => one.row - other.row).slice(0, shownLeftOut);
  };
  /** Returns the name that the design of a batch has now; null if it has none any more. */
  const designNameOf = async ({ accountId, texts }: SignedInContext, { designId }: Batch) => {
    const saved = await savedDesigns.list(accountId);
    const named = saved.find((one) => one.designId === designId);
    if (named !== undefined) return named.name;
    const isDefault = (await designs.findId(accountId)) === designId;
    return isDefault ? texts.designs.defaultDesign : null;
  };
  return [
    viewer.get('/account/batches/:id', async (context) => {
      const batch = await findBatch(batches, context);
      if (isAsked(batch) && includesRole(context.session.role, 'editor'))
        return redirectTo(context, columnsPath(batch.id));
      if (batch.state === 'draft') return showDraft(deps, context);
      const isRunning = batch.state === 'running';
      const created = await readCodes(context, batch);
      const leftOut = isRunning ? [] : await readLeftOut(context, batch);
      const design = await designNameOf(context, batch);
      const title = titleOf(batch, context.texts);
      const response = page(
        context,
        title,
        <>
          <Crumb above={batchCrumbs(context.texts)}>
            {formatDateTime(batch.createdAtMs, context)}
          </Crumb>
          <PageHead title={title}>
            <CreatedActions batch={batch} />
          </PageHead>
          <BatchState batch={batch} design={design} />
          {!isRunning && created.qrs.length > 0 && <CreatedCodes batch={batch} {...created} />}
          {!isRunning && <LeftOutRows batch={batch} rows={leftOut} />}
        </>,
      );
      return isRunning ? reloading(response, reloadSeconds) : response;
    }),
    viewer.get('/account/batches/:id/refused.csv', async (context) => {
      const { id } = await findBatch(batches, context);
      const options = { filter: 'refused', afterRow: 0, limit: maxBatchRows } as const;
      const rows = await batches.rows(context.accountId, id, options);
      const table = refusedCsv(rows, (reason) => panelSentence(reason, context.texts));
      return fileResponse(table, csvType, `refused-rows-${id}.csv`);
    }),
    editor.post('/account/batches/:id/stop', async (context) => {
      const batch = await findBatch(batches, context);
      if (batch.state === 'running') await batches.stop(context.acting, batch.id);
      return redirectTo(context, batchPath(batch.id));
    }),
  ];
}

/** Returns what the page of a batch is about. */
function titleOf({ state, created }: Batch, { batch }: Texts): string {
  return state === 'running' ? batch.creating : batch.codesCreated({ codes: created });
}

interface CreatedCodesProps {
  readonly batch: Batch;
  readonly qrs: readonly Qr[];
  readonly days: ReadonlyMap<number, readonly number[]>;
  /** Number of the page, from 1. */
  readonly number: number;
}

/** The codes that were created from a table, as in the list of codes. */
function CreatedCodes({ batch: { id, created }, qrs, days, number }: CreatedCodesProps) {
  const { url } = useRequest();
  const t = useTexts();
  return (
    <>
      <CodeTable qrs={qrs} days={days}>
        <Pages
          label={t.batch.pagesOfCodes}
          number={number}
          pageLength={pageLength}
          shown={qrs.length}
          total={created}
          hasMore={created > number * pageLength}
          pathOf={(page) => `${batchPath(id)}?page=${page}`}
        />
      </CodeTable>
      {useMayEdit() && (
        <SelectionBar list={`${url.pathname}${url.search}`} search="" total={null} hasAll={false} />
      )}
    </>
  );
}

/** What can be done with all codes of a batch. */
function CreatedActions({ batch: { id, state, created } }: { batch: Batch }) {
  const t = useTexts();
  if (state === 'running' || created === 0) return null;
  const selection = selectionValues({ batch: id, list: '/account/codes' });
  const images = { ...selection, format: 'svg' };
  return (
    <>
      <PostButton
        to="/account/selection/images.zip"
        values={images}
        class="button compact-hide"
        icon="download"
      >
        {t.batch.imagesAndTable}
      </PostButton>
      <PostButton to="/account/print" values={selection} icon="print">
        {t.batch.printAll({ codes: created })}
      </PostButton>
      <Menu id="batch-menu" label={t.batch.actions}>
        <PostButton
          to="/account/selection/images.zip"
          values={images}
          class="phone-only"
          icon="download"
        >
          {t.batch.imagesAndTable}
        </PostButton>
        <PostButton to="/account/selection" values={selection} class="" icon="edit">
          {t.batch.changeAllMenu({ codes: created })}
        </PostButton>
      </Menu>
    </>
  );
}

interface BatchStateProps {
  readonly batch: Batch;
  /** Name of its design; null if it has none any more. */
  readonly design: string | null;
}

/** What has become of a batch. */
function BatchState({ batch, design }: BatchStateProps) {
  const { id, state, problem, rows, createdAtMs, refused, existing, leftOut } = batch;
  const t = useTexts();
  const file = fileOf(batch);
  const without = refused + leftOut;
  return (
    <>
      {state === 'stopped' && (
        <Notice kind="warn" title={t.batch.notAllCreated}>
          {problem === null ? t.batch.youStopped : panelSentence(problem, t)}
        </Notice>
      )}
      <section class="card pad stack tight" aria-label={t.tables.table}>
        {state === 'running' && (
          <>
            <label class="stack tight">
              {t.batch.progress({ decided: decidedRows(batch), rows })}
              <progress value={decidedRows(batch)} max={rows} />
              <span class="hint">{t.batch.serverContinues}</span>
            </label>
            <div class="row">
              <PostButton to={`${batchPath(id)}/stop`} class="button danger">
                {t.batch.stop}
              </PostButton>
            </div>
          </>
        )}
        <Facts
          of={{
            ...(design !== null && { [t.batch.design]: <bdi>{design}</bdi> }),
            [t.batch.createdAt]: <Time ms={createdAtMs} format={formatDateTime} />,
            [t.batch.from]: (
              <bdi>
                {file === null ? t.batch.rows({ rows }) : t.batch.rowsOfFile({ file, rows })}
              </bdi>
            ),
            ...(without > 0 && { [t.batch.leftOut]: t.batch.rows({ rows: without }) }),
            ...(existing > 0 && { [t.batch.existedBefore]: t.batch.rows({ rows: existing }) }),
          }}
        />
      </section>
    </>
  );
}
