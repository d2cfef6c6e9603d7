/** @jsxImportSource preact */

import type { ReadabilityResult } from '../../core/designs/design.ts';
import { ApiError } from '../../core/errors.ts';
import { escapeBidiMarks } from '../../lib/text/readable-url.ts';
import { type ChosenDesign, chosenDesign } from '../designs/design-field.tsx';
import { bandOf } from '../designs/preview.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { type FormFields, noFields, type SignedInContext } from '../request/request.ts';
import { type PageResponse, page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route } from '../routing/route.ts';
import { Crumb, ListCard } from '../ui/cards.tsx';
import { PageHead, ScrollRegion } from '../ui/components.tsx';
import { FormView, InvalidForm, shownAgain } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { StudioStyle } from '../ui/layout.tsx';
import { ButtonLink, HiddenFields, Submit, useTexts } from '../ui/page-context.tsx';
import { panelNotice } from '../ui/sentences/sentences.ts';
import { batchCrumbs, batchPath, columnsPath, findBatch } from './batch-path.ts';
import {
  actionOf,
  type DraftState,
  formOf,
  isLeftOut,
  problemsOf,
  readDraft,
  typedRows,
  wantedAnyway,
} from './draft-form.ts';
import { RowTable } from './row-table.tsx';
import { RowsToCheck, RowsToFix } from './rows-to-fix.tsx';

// Many rows of fields that are all as long as they may be, percent-encoded.
const maxDraftBytes = 4_000_000;

/** Creates the route that corrects the rows of a checked table and creates its codes. */
export function draftRoutes(deps: PanelDeps): Route[] {
  const { batches } = deps;
  return [
    editor.submit(
      '/account/batches/:id',
      {
        form: async (context, typed) => formOf(deps, await readDraft(deps, context, typed), typed),
        page: (context, typed) => showDraft(deps, context, typed),
        maxBytes: maxDraftBytes,
        needsPlan: true,
      },
      async (context, { design, folder, ...cells }, typed) => {
        const { accountId } = context;
        const batch = await findBatch(batches, context);
        // Sending the form twice creates the codes once.
        if (batch.state !== 'draft') return redirectTo(context, batchPath(batch.id));
        const { action, row } = actionOf(typed);
        await batches.correct(accountId, batch.id, {
          typed: typedRows(cells),
          leaveOut: action === 'leave-all' ? 'all' : action === 'leave' ? row : undefined,
          putBack: action === 'back' ? row : undefined,
          again: action === 'again',
        });
        const { refused } = await batches.find(accountId, batch.id);
        if (action !== 'create' || refused > 0) {
          const status = refused > 0 && row === undefined ? 422 : 200;
          return showDraft(
            deps,
            { ...context, rejected: shownAgain(context, typed, status) },
            typed,
          );
        }
        const choice = { designId: design, folder };
        await batches.start(context.acting, batch.id, choice).catch((error: unknown) => {
          // The page says it beside the design.
          if (error instanceof ApiError && error.code === 'design_unreadable')
            throw new InvalidForm({});
          throw error;
        });
        return redirectTo(context, batchPath(batch.id));
      },
    ),
  ];
}

/** Responds with the page of a draft, as typed if its form was sent. */
export async function showDraft(
  deps: PanelDeps,
  context: SignedInContext,
  typed = noFields,
): Promise<PageResponse> {
  const state = await readDraft(deps, context, typed);
  const chosen = await chosenDesign(deps, context, typed.text('design'), state.batch.designId);
  const form = await formOf(deps, state, typed, chosen);
  return page(
    context,
    context.texts.draft.title,
    <Draft {...state} form={form} typed={typed} chosen={chosen} />,
  );
}

interface DraftProps extends DraftState {
  readonly form: Awaited<ReturnType<typeof formOf>>;
  readonly typed: FormFields;
  readonly chosen: ChosenDesign;
}

/** Renders the page that corrects the rows of a table before its codes are created. */
function Draft({ form, typed, chosen, ...state }: DraftProps) {
  const { batch, columns, rows, ready, warnings, warned } = state;
  const { refused, existing, leftOut, notices } = batch;
  const all = batch.rows - existing - leftOut;
  const good = all - refused - warnings.size;
  const t = useTexts();
  const left = actionOf(typed).row;
  const next = rows.find((row) => left !== undefined && row.row > left && !isLeftOut(row));
  return (
    <>
      <Crumb above={batchCrumbs(t)} />
      <PageHead
        title={t.draft.title}
        beside={
          <span class="row" id="counts" data-live>
            <span class="pill good">{t.draft.readyCount({ rows: good })}</span>
            {refused > 0 && <span class="pill bad">{t.draft.toFixCount({ rows: refused })}</span>}
            {warnings.size > 0 && (
              <span class="pill warn">{t.draft.toCheckCount({ rows: warnings.size })}</span>
            )}
          </span>
        }
      >
        {batch.hasFile && <ButtonLink to={columnsPath(batch.id)}>{t.draft.columns}</ButtonLink>}
        <ButtonLink to={`/account/batches?of=${batch.id}`}>{t.tables.useAnother}</ButtonLink>
      </PageHead>
      <StudioStyle />
      <FormView
        form={form}
        to={batchPath(batch.id)}
        class="draft"
        problems={{
          ...problemsOf(state),
          ...(chosen.problem !== null && { design: chosen.problem }),
        }}
        focused={next && `${columns.includes('name') ? 'name' : 'destination'}-${next.row}`}
        data-live-form
      >
        {(fields) => (
          <>
            {/* The first button is the one that Enter presses. */}
            <Submit class="button no-script" name="do" value="check">
              {t.draft.checkAgain}
            </Submit>
            <HiddenFields values={wantedAnyway(typed)} />
            {rows.length > 0 && (
              <RowsToFix columns={columns} rows={rows} refused={refused} fields={fields} />
            )}
            {warned.length > 0 && (
              <RowsToCheck columns={columns} rows={warned} count={warnings.size} fields={fields} />
            )}
            <section class="card pad" aria-label={t.draft.designAndFolder}>
              <div class="fields fold">
                <div class="field">
                  {fields.design ?? (
                    <>
                      <span class="name">{t.designs.design}</span>
                      <p>{t.designs.defaultDesign}</p>
                    </>
                  )}
                  <Verdict readability={chosen.readability} />
                </div>
                {fields.folder}
              </div>
            </section>
            <ListCard title={t.draft.rowsReady({ rows: good })}>
              {(notices.length > 0 || existing > 0) && (
                <ul class="notices small soft">
                  {notices
                    .map((notice) => panelNotice(notice, t))
                    .map((notice) => (
                      <li key={notice}>{escapeBidiMarks(notice)}</li>
                    ))}
                  {existing > 0 && (
                    <li class="row">
                      {t.draft.existing({ rows: existing })}
                      <Submit class="button small" name="do" value="again">
                        {t.draft.createAgain({ rows: existing })}
                      </Submit>
                    </li>
                  )}
                </ul>
              )}
              {ready.length > 0 && (
                <ScrollRegion label={t.draft.rowsThatAreReady} class="some">
                  <RowTable rows={ready} />
                </ScrollRegion>
              )}
              {good > ready.length && (
                <p class="pages small soft">{t.tables.firstRowsShown({ rows: ready.length })}</p>
              )}
            </ListCard>
            <div class="savebar">
              <span class="small soft" id="bar" data-live>
                {chosen.problem !== null && (
                  <span class="error">
                    {t.draft.designUnreadable({
                      link: (text) => (
                        <a class="link" href="#design">
                          {text}
                        </a>
                      ),
                    })}
                  </span>
                )}
                {refused > 0 && t.draft.checkedFirst({ rows: refused })}
                {refused === 0 &&
                  warnings.size > 0 &&
                  t.draft.phonesMayNotOpen({ rows: warnings.size })}
                {all === 0 && t.draft.nothingToCreate}
              </span>
              <span class="grow" />
              {all > 0 && (
                <Submit name="do" value="create">
                  <span id="create" data-live>
                    {t.draft.create({ codes: all })}
                  </span>
                </Submit>
              )}
            </div>
          </>
        )}
      </FormView>
    </>
  );
}

/** Says that phones can read codes of the chosen design. The field says that they cannot. */
function Verdict({ readability }: { readability: ReadabilityResult }) {
  const { isReadable, score } = readability;
  const t = useTexts();
  return (
    <div id="verdict" data-live>
      {isReadable && (
        <p class="hint line">
          <Icon name="good" />
          <span>
            {t.draft.readable({ band: bandOf(readability), score, b: (text) => <b>{text}</b> })}
          </span>
        </p>
      )}
    </div>
  );
}
