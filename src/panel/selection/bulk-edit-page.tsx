/** @jsxImportSource preact */

import { type BulkEdit, isRunning, type RefusedEdit } from '../../core/batches/bulk-edit.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { codePath } from '../codes/code-label.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { ownPath } from '../request/own-path.ts';
import type { SignedInContext } from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { Notice, PageHead } from '../ui/components.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import { ButtonLink, Link, PostButton, useTexts } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { describeEdit, LastBulkEdit, shortened } from './selected.tsx';

const reloadSeconds = 2;
/** Codes that are named with the same reason. */
const shownRefused = 10;
/** Codes without a change that are read. */
const maxRefused = 1000;

/**
 * Returns the path of the page of a bulk edit.
 *
 * @param list the list whose codes it changes
 */
export function bulkEditPath(id: number, list?: string): string {
  const path = `/account/bulk-edits/${id}`;
  return list === undefined ? path : `${path}?${new URLSearchParams({ list })}`;
}

/** Returns whether more is to be said about an edit than how many codes it has changed. */
function needsPage({ state, problem, leftOut, undone }: BulkEdit): boolean {
  const isPartlyUndone = state === 'done' && undone > 0;
  return isRunning({ state }) || problem !== null || leftOut > 0 || isPartlyUndone;
}

/** Responds with the list and what an edit, or its undo, has changed, or with the page of the edit. */
export function respondToEdit(context: SignedInContext, edit: BulkEdit, list: string): Response {
  if (needsPage(edit)) return redirectTo(context, bulkEditPath(edit.id, list));
  if (edit.state === 'undone') return redirectTo(context, list, { kind: 'bulkEditUndone' });
  const { change, codes } = edit;
  return redirectTo(context, list, { kind: 'codesEdited', change: shortened(change), codes });
}

/** Creates the routes of the page that shows the progress of a bulk edit, and what has become of it. */
export function bulkEditPageRoutes({ bulkEdits }: PanelDeps): Route[] {
  return [
    viewer.get('/account/bulk-edits/:id', async (context) => {
      const { accountId, params, url, texts: t } = context;
      const waiting = url.searchParams.get('list');
      const list = ownPath(waiting || '/account/codes');
      const last = await bulkEdits.last(accountId);
      // Only the last one is kept.
      const id = idOf(params);
      if (last === null || id > last.id) throw pageNotFound();
      if (id < last.id) return page(context, t.bulkEdit.title, <Replaced list={list} />);
      // A browser that waits for the end gets the response of an edit that takes no time.
      if (waiting !== null && !needsPage(last)) return respondToEdit(context, last, list);
      const running = isRunning(last);
      const refused = running ? [] : await bulkEdits.refused(last, maxRefused);
      const title = titleOf(last, t);
      const response = page(
        context,
        title,
        <>
          <Crumb above={[['/account/codes', t.list.title]]}>
            {formatDateTime(last.atMs, context)}
          </Crumb>
          <PageHead title={title}>
            <ButtonLink to={list}>{t.selection.backToList}</ButtonLink>
          </PageHead>
          {running ? (
            <Progress edit={last} list={list} />
          ) : (
            <Result edit={last} list={list} refused={refused} />
          )}
        </>,
      );
      return running ? reloading(response, reloadSeconds) : response;
    }),
    editor.post('/account/bulk-edits/:id/stop', async (context, form) => {
      const id = idOf(context.params);
      await bulkEdits.stop(context.accountId, id);
      return redirectTo(context, bulkEditPath(id, ownPath(form.text('list') || '/account/codes')));
    }),
  ];
}

/** @throws PanelError 404 */
function idOf({ id = '' }: SignedInContext['params']): number {
  if (!/^\d{1,15}$/.test(id)) throw pageNotFound();
  return Number(id);
}

function titleOf({ state, change, codes, undone }: BulkEdit, t: Texts): string {
  if (state === 'running') return t.bulkEdit.changing;
  if (state === 'undoing') return t.bulkEdit.undoing;
  return state === 'undone'
    ? t.bulkEdit.undone({ edit: describeEdit(change, undone, t) })
    : describeEdit(change, codes, t);
}

/** Describes what has become of an edit, for a list. */
export function describeBulkEdit(edit: BulkEdit, t: Texts): string {
  if (edit.state === 'running') return t.bulkEdit.changedSoFar(progressOf(edit));
  if (edit.state === 'undoing') return t.bulkEdit.undoneSoFar(progressOf(edit));
  return titleOf(edit, t);
}

/** Returns how many codes of an edit, or of its undo, have an outcome. */
function progressOf({ state, selected, codes, leftOut, undone }: BulkEdit) {
  return state === 'undoing'
    ? { decided: undone, all: codes + undone }
    : { decided: codes + leftOut + undone, all: selected };
}

function Replaced({ list }: { list: string }) {
  const t = useTexts();
  return (
    <>
      <h1>{t.bulkEdit.replaced}</h1>
      <p class="intro">
        {t.bulkEdit.replacedBy({
          activity: (text) => <Link to="/account/activity">{text}</Link>,
        })}{' '}
        <Link to={list}>{t.selection.backToList}</Link>
      </p>
    </>
  );
}

interface EditProps {
  readonly edit: BulkEdit;
  /** The list whose codes it changes. */
  readonly list: string;
}

function Progress({ edit, list }: EditProps) {
  const { decided, all } = progressOf(edit);
  const { bulkEdit: t } = useTexts();
  return (
    <section class="card pad stack tight" aria-label={t.progress}>
      <label class="stack tight">
        {t.decided({ decided, all })}
        <progress value={decided} max={all} />
        <span class="hint">{t.serverContinues}</span>
      </label>
      <div class="row">
        <PostButton
          to={`/account/bulk-edits/${edit.id}/stop`}
          values={{ list }}
          class="button danger"
        >
          {t.stop}
        </PostButton>
      </div>
    </section>
  );
}

interface ResultProps extends EditProps {
  readonly refused: readonly RefusedEdit[];
}

function Result({ edit, list, refused }: ResultProps) {
  const texts = useTexts();
  const { bulkEdit: t } = texts;
  const { state, problem, selected, codes, undone } = edit;
  return (
    <>
      {problem !== null && (
        <Notice kind="warn" title={t.notAllChanged}>
          {panelSentence(problem, texts)}
        </Notice>
      )}
      {state !== 'undone' && (
        <section class="card pad stack tight" aria-label={t.codes}>
          <p>
            {t.changed({ codes, selected })}
            {undone > 0 && ` ${t.someUndone({ codes: undone })}`}
          </p>
          <LastBulkEdit edit={edit} list={list} />
        </section>
      )}
      {refused.length > 0 && (
        <RefusedEdits title={t.leftOut({ codes: refused.length })} refused={refused} />
      )}
    </>
  );
}

interface RefusedEditsProps {
  readonly title: string;
  readonly refused: readonly RefusedEdit[];
}

/** Renders the codes that cannot be changed, by the reason. */
export function RefusedEdits({ title, refused }: RefusedEditsProps) {
  const texts = useTexts();
  const { bulkEdit: t } = texts;
  return (
    <Notice kind="warn" title={title}>
      <ul class="reasons">
        {Array.from(
          Map.groupBy(refused, ({ reason }) => panelSentence(reason, texts)),
          ([reason, codes]) => (
            <li key={reason}>
              {reason}{' '}
              {codes.slice(0, shownRefused).map(({ code }, index) => [
                index > 0 && ' · ',
                <Link key={code} to={codePath(code)}>
                  {code}
                </Link>,
              ])}
              {codes.length > shownRefused &&
                ` · ${t.andMore({ codes: codes.length - shownRefused })}`}
            </li>
          ),
        )}
      </ul>
    </Notice>
  );
}
