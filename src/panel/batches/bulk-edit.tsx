/** @jsxImportSource preact */
import { requireActivePlan } from '../../core/accounts/account.ts';
import type { BulkEditChange, CodeEdit } from '../../core/batches/bulk-edit.ts';
import type { BulkEditPreview, RefusedEdit } from '../../core/batches/bulk-edits.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { CodeLink, codePath } from '../codes/code-label.tsx';
import type { PanelDeps } from '../deps.ts';
import type { FormFields } from '../routing/forms.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { respondPatiently } from '../routing/slow.tsx';
import { Notice } from '../ui/components.tsx';
import { escapeBidiMarks, formatCount, formatNumber } from '../ui/formatting.ts';
import { Form, Link } from '../ui/page-context.tsx';
import {
  describeSelection,
  readSelection,
  type Selection,
  SelectionFields,
  selectionPath,
  wantedCodes,
} from './selection.tsx';

const shownEdits = 100;

/** Creates the routes that preview, apply and undo edits of many codes. */
export function bulkEditRoutes(deps: PanelDeps): Route[] {
  const { qrs, bulkEdits } = deps;
  const read = async ({ session, nowMs }: SignedInContext, form: FormFields) => {
    const change = readChange(form);
    if (change.kind === 'replace') requireActivePlan(session.account, nowMs);
    const selection = readSelection(form);
    return { change, selection, wanted: await wantedCodes(deps, session.account.id, selection) };
  };

  return [
    signedIn.post('/account/selection/preview', async (context, form) => {
      const { change, selection, wanted } = await read(context, form);
      const { id } = context.session.account;
      return respondPatiently(context, 'Checking the destinations', async () => {
        const preview = await bulkEdits.preview(id, wanted, change);
        const shown = await Promise.all(
          preview.edits
            .slice(0, shownEdits)
            .map(async (edit) => ({ ...edit, qr: await qrs.get(id, edit.code) })),
        );
        const props = { selection, change, preview, shown };
        return page(context, verbOf(change), <PreviewPage {...props} />);
      });
    }),
    signedIn.post('/account/selection/apply', async (context, form) => {
      const { change, wanted } = await read(context, form);
      return respondPatiently(context, 'Changing the codes', async () => {
        const { changed } = await bulkEdits.apply(context.session.account.id, wanted, change);
        return redirectTo(context, `/account/codes?done=${changed > 0 ? 'edited' : 'unchanged'}`);
      });
    }),
    signedIn.post('/account/selection/undo', async (context) => {
      const { account } = context.session;
      const last = await bulkEdits.last(account.id);
      if (last?.change.kind === 'replace') requireActivePlan(account, context.nowMs);
      return respondPatiently(context, 'Undoing the last bulk edit', async () => {
        await bulkEdits.undo(account.id);
        return redirectTo(context, '/account/codes?done=undone');
      });
    }),
  ];
}

function readChange(form: FormFields): BulkEditChange {
  const kind = form.text('do');
  if (kind === 'pause' || kind === 'resume') return { kind };
  return {
    kind: 'replace',
    replaced: form.text('replaced').trim(),
    replacement: form.text('replacement').trim(),
  };
}

function verbOf({ kind }: BulkEditChange): string {
  return { replace: 'Change destinations', pause: 'Pause codes', resume: 'Resume codes' }[kind];
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
  return (
    <>
      <h1>{verbOf(change)}</h1>
      <p class="lead">
        Selected: {describeSelection(selection, selected)}. {formatNumber(edits.length)} will change
        {refused.length > 0 && `, ${formatNumber(refused.length)} cannot be changed`}
        {unaffected > 0 && `, ${formatNumber(unaffected)} ${unaffectedText(change)}`}. Nothing has
        been changed yet.
      </p>
      <div class="row">
        {edits.length > 0 && (
          <Form to="/account/selection/apply">
            <SelectionFields selection={selection} />
            <input type="hidden" name="do" value={change.kind} />
            {change.kind === 'replace' && (
              <>
                <input type="hidden" name="replaced" value={change.replaced} />
                <input type="hidden" name="replacement" value={change.replacement} />
              </>
            )}
            <button type="submit">
              {isReplace ? 'Change' : verbOf(change).split(' ')[0]}{' '}
              {formatCount(edits.length, 'code')}
            </button>
          </Form>
        )}
        <Link class="button quiet" to={selectionPath(selection)}>
          Back
        </Link>
      </div>
      {refused.length > 0 && <RefusedEdits refused={refused} />}
      {edits.length > 0 ? (
        <section class="card">
          <h2>{isReplace ? 'Before and after' : 'These codes'}</h2>
          <ol class="rows">
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
        <section class="empty">
          <h2>Nothing to change</h2>
          <p>
            {isReplace
              ? `No destination of these codes contains “${change.replaced}”.`
              : `These codes ${unaffectedText(change)}.`}
          </p>
        </section>
      )}
    </>
  );
}

function unaffectedText({ kind }: BulkEditChange): string {
  return {
    replace: 'do not contain this text',
    pause: 'are paused already',
    resume: 'are not paused',
  }[kind];
}

function RefusedEdits({ refused }: { refused: readonly RefusedEdit[] }) {
  return (
    <Notice kind="warning" title={`${formatCount(refused.length, 'code')} cannot be changed`}>
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
