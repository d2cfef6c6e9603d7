/** @jsxImportSource preact */
import { requireActivePlan } from '../../core/accounts/account.ts';
import type { BulkEditChange, CodeEdit } from '../../core/batches/bulk-edit.ts';
import type { BulkEditPreview, RefusedEdit } from '../../core/batches/bulk-edits.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { formatCount } from '../../lib/numbers.ts';
import { CodeLink, codePath } from '../codes/code-label.tsx';
import {
  describeSelection,
  maxSelectionBytes,
  readSelection,
  type Selection,
  SelectionButton,
  wantedCodes,
} from '../codes/selection.tsx';
import type { PanelDeps } from '../deps.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import type { Values } from '../ui/form.tsx';
import { escapeBidiMarks } from '../ui/formatting.ts';
import { Link } from '../ui/page-context.tsx';
import { moveForm, replaceForm, showSelected } from './selected.tsx';

const shownEdits = 100;

/** Creates the routes that preview, apply and undo edits of many codes. */
export function bulkEditRoutes(deps: PanelDeps): Route[] {
  const { qrs, bulkEdits } = deps;
  const read = async (
    { session, nowMs }: SignedInContext,
    values: Values<typeof replaceForm>,
    typed: FormFields,
  ) => {
    const { do: kind, replaced, replacement } = values;
    const change: BulkEditChange = kind === 'replace' ? { kind, replaced, replacement } : { kind };
    if (kind === 'replace') requireActivePlan(session.account, nowMs);
    const selection = readSelection(typed);
    return { change, selection, wanted: await wantedCodes(deps, session.account.id, selection) };
  };
  const options = {
    form: replaceForm,
    page: (context: SignedInContext, typed: FormFields) => showSelected(deps, context, typed),
    maxBytes: maxSelectionBytes,
  };

  return [
    signedIn.submit(
      '/account/selection/preview',
      { ...options, waitsFor: 'Checking the destinations' },
      async (context, values, typed) => {
        const { change, selection, wanted } = await read(context, values, typed);
        const { id } = context.session.account;
        const preview = await bulkEdits.preview(id, wanted, change);
        const shown = await Promise.all(
          preview.edits
            .slice(0, shownEdits)
            .map(async (edit) => ({ ...edit, qr: await qrs.get(id, edit.code) })),
        );
        const props = { selection, change, preview, shown };
        return page(context, verbOf(change), <PreviewPage {...props} />);
      },
    ),
    signedIn.submit(
      '/account/selection/apply',
      { ...options, waitsFor: 'Changing the codes' },
      async (context, values, typed) => {
        const { change, selection, wanted } = await read(context, values, typed);
        const { changed } = await bulkEdits.apply(context.session.account.id, wanted, change);
        const message =
          changed > 0
            ? ({ kind: 'codesChanged', codes: changed } as const)
            : ({ kind: 'noCodesChanged' } as const);
        return redirectTo(context, selection.list, { message });
      },
    ),
    signedIn.submit(
      '/account/selection/folder',
      { ...options, form: moveForm, waitsFor: 'Moving the codes' },
      async (context, { folder }, typed) => {
        const selection = readSelection(typed);
        const { id } = context.session.account;
        const wanted = await wantedCodes(deps, id, selection);
        const { changed } = await bulkEdits.apply(id, wanted, { kind: 'folder', folder });
        const message = { kind: 'codesMoved', codes: changed, folder } as const;
        return redirectTo(context, selection.list, { message });
      },
    ),
    signedIn.post(
      '/account/selection/undo',
      async (context) => {
        const { account } = context.session;
        const last = await bulkEdits.last(account.id);
        if (last?.change.kind === 'replace') requireActivePlan(account, context.nowMs);
        await bulkEdits.undo(account.id);
        return redirectTo(context, '/account/codes', { message: { kind: 'bulkEditUndone' } });
      },
      { waitsFor: 'Undoing the last bulk edit' },
    ),
  ];
}

function verbOf({ kind }: BulkEditChange): string {
  return {
    replace: 'Change destinations',
    pause: 'Pause codes',
    resume: 'Resume codes',
    archive: 'Archive codes',
    unarchive: 'Unarchive codes',
    folder: 'Move codes',
  }[kind];
}

interface PreviewProps {
  readonly selection: Selection;
  readonly change: BulkEditChange;
  readonly preview: BulkEditPreview;
  /** The first edits. */
  readonly shown: readonly NamedEdit[];
}

type NamedEdit = CodeEdit & { readonly qr: Qr };

function PreviewPage({ selection, change, preview, shown }: PreviewProps) {
  const { selected, edits, refused } = preview;
  const isReplace = change.kind === 'replace';
  const unaffected = selected - edits.length - refused.length;
  const [one, many] = unaffectedTexts[change.kind];
  return (
    <>
      <h1>{verbOf(change)}</h1>
      <p class="intro">
        Selected: {describeSelection(selection, selected)}.{' '}
        {[
          formatCount(edits.length, 'will change', 'will change'),
          refused.length > 0 &&
            formatCount(refused.length, 'cannot be changed', 'cannot be changed'),
          unaffected > 0 && formatCount(unaffected, one, many),
        ]
          .filter(Boolean)
          .join(', ')}
        . Nothing has been changed yet.
      </p>
      <div class="row">
        {edits.length > 0 && (
          <SelectionButton
            selection={selection}
            to="/account/selection/apply"
            values={valuesOf(change)}
          >
            {isReplace ? 'Change' : verbOf(change).split(' ')[0]}{' '}
            {formatCount(edits.length, 'code')}
          </SelectionButton>
        )}
        <SelectionButton selection={selection} values={valuesOf(change)} class="button">
          Back
        </SelectionButton>
      </div>
      {refused.length > 0 && <RefusedEdits refused={refused} />}
      {edits.length > 0 ? (
        <section class="card pad stack tight">
          <h2>{isReplace ? 'Before and after' : 'These codes'}</h2>
          <ol class="list">
            {shown.map((edit) => (
              <li key={edit.code}>
                <EditedCode edit={edit} isReplace={isReplace} />
              </li>
            ))}
          </ol>
          {edits.length > shownEdits && (
            <p class="hint">and {formatCount(edits.length - shownEdits, 'more code')}</p>
          )}
        </section>
      ) : (
        <section class="card pad stack tight">
          <h2>Nothing to change</h2>
          <p>
            {isReplace
              ? `No destination of these codes contains “${change.replaced}”.`
              : selected === 1
                ? `This code ${one}.`
                : `These codes ${many}.`}
          </p>
        </section>
      )}
    </>
  );
}

/** Why codes do not change, for one and for several. */
const unaffectedTexts = {
  replace: ['does not contain this text', 'do not contain this text'],
  pause: ['is paused already', 'are paused already'],
  resume: ['is not paused', 'are not paused'],
  archive: ['is archived already', 'are archived already'],
  unarchive: ['is not archived', 'are not archived'],
  folder: ['is in this folder already', 'are in this folder already'],
} as const;

/** Returns a change as the fields of `replaceForm`. */
function valuesOf(change: BulkEditChange): Record<string, string> {
  if (change.kind === 'folder') return { do: change.kind, folder: change.folder ?? '' };
  const { kind, ...texts } = change;
  return { do: kind, ...texts };
}

function RefusedEdits({ refused }: { refused: readonly RefusedEdit[] }) {
  return (
    <Notice kind="warn" title={`${formatCount(refused.length, 'code')} cannot be changed`}>
      <ul class="reasons">
        {refused.slice(0, shownEdits).map(({ code, reason }) => (
          <li key={code}>
            <Link to={codePath(code)}>{code}</Link>: {reason}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function EditedCode({ edit, isReplace }: { edit: NamedEdit; isReplace: boolean }) {
  return (
    <div>
      <CodeLink qr={edit.qr} />
      {isReplace && (
        <>
          <span>
            <span class="hidden">before: </span>
            <del>{escapeBidiMarks(edit.before)}</del>
          </span>
          <span>
            <span class="hidden">after: </span>
            <ins>{escapeBidiMarks(edit.after)}</ins>
          </span>
        </>
      )}
    </div>
  );
}
