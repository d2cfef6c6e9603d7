/** @jsxImportSource preact */

import { requireActivePlan } from '../../core/accounts/account.ts';
import type { BulkEditChange, CodeEdit } from '../../core/batches/bulk-edit.ts';
import type { BulkEditPreview } from '../../core/batches/bulk-edits.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import { CodeTags, codePath, titleOf } from '../codes/code-label.tsx';
import { atItsEnd, requestOf } from '../codes/schedule/schedule-form.ts';
import {
  describeSelection,
  maxSelectionBytes,
  readSelection,
  type Selection,
  selectionValues,
  wantedCodes,
} from '../codes/selection.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { ownPath } from '../request/own-path.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route } from '../routing/route.ts';
import { InvalidForm, invalidField } from '../ui/form.tsx';
import { Link, PostButton, useTexts } from '../ui/page-context.tsx';
import { RefusedEdits, respondToEdit } from './bulk-edit-page.tsx';
import { planFormFor, showSelected } from './selected.tsx';
import { destinationForm, moveForm, replaceForm, statusKinds } from './selection-dialogs.tsx';

const shownEdits = 100;

/** Creates the routes that preview, apply and undo edits of many codes. */
export function bulkEditRoutes(deps: PanelDeps): Route[] {
  const { qrs, lists, bulkEdits, schedule } = deps;

  const apply = async (context: SignedInContext, typed: FormFields, change: BulkEditChange) => {
    const { entered: account } = context.session;
    if (change.kind === 'replace') requireActivePlan(account, context.nowMs);
    const selection = readSelection(typed);
    const wanted = await wantedCodes(deps, context, selection);
    const edit = await bulkEdits.apply(context.acting, wanted, change);
    return edit === null
      ? redirectTo(context, selection.list, { kind: 'noCodesChanged' })
      : respondToEdit(context, edit, selection.list);
  };
  const options = (dialog: string) => ({
    page: (context: SignedInContext, typed: FormFields) =>
      showSelected(deps, context, typed, dialog),
    maxBytes: maxSelectionBytes,
  });

  return [
    editor.submit(
      '/account/selection/destination',
      { ...options('destination'), form: destinationForm },
      (context, { url: replacement }, typed) =>
        apply(context, typed, { kind: 'replace', replaced: null, replacement }),
    ),
    editor.submit(
      '/account/selection/preview',
      {
        ...options('destination'),
        form: replaceForm,
        needsPlan: true,
      },
      async (context, texts, typed) => {
        const { accountId } = context;
        const selection = readSelection(typed);
        const change = { kind: 'replace', ...texts } as const;
        const preview = await bulkEdits.preview(
          accountId,
          await wantedCodes(deps, context, selection),
          change,
        );
        const shown = await Promise.all(
          preview.edits
            .slice(0, shownEdits)
            .map(async (edit) => ({ ...edit, qr: await qrs.get(accountId, edit.code) })),
        );
        return page(
          context,
          context.texts.bulkEdit.changeDestinations,
          <PreviewPage selection={selection} change={change} preview={preview} shown={shown} />,
        );
      },
    ),
    editor.post(
      '/account/selection/apply',
      (context, typed) => {
        const asked = typed.text('do');
        const kind = statusKinds.find((one) => one === asked);
        if (kind === undefined && asked !== 'replace' && asked !== '')
          throw new InvalidInput((t) => t.selection.noSuchChange);
        const change: BulkEditChange =
          kind === undefined
            ? {
                kind: 'replace',
                replaced: typed.text('replaced'),
                replacement: typed.text('replacement'),
              }
            : { kind };
        return apply(context, typed, change);
      },
      options(''),
    ),
    editor.submit(
      '/account/selection/plan',
      {
        ...options('plan'),
        form: async (context) => planFormFor(deps, context),
      },
      async (context, values, typed) => {
        // Without a script, a button only shows what happens.
        if (typed.text('do') === 'check') throw new InvalidForm({});
        const { accountId, session } = context;
        const selection = readSelection(typed);
        const wanted = await wantedCodes(deps, context, selection);
        const codes = await bulkEdits.select(accountId, wanted);
        const request = requestOf(values);
        const { entered, person } = session;
        const result = await atItsEnd(schedule.addToMany(entered, codes, request, person.id));
        const { planned, refused: left } = result;
        return redirectTo(context, selection.list, {
          kind: 'changesScheduled',
          codes: planned,
          left,
        });
      },
    ),
    editor.submit(
      '/account/selection/folder',
      {
        ...options('folder'),
        form: async ({ accountId }) => moveForm(await lists.folders(accountId)),
      },
      (context, { folder, created }, typed) => {
        const to = created ?? folder;
        if (to === undefined) throw invalidField('folder', (t) => t.selection.chooseFolder);
        return apply(context, typed, { kind: 'folder', folder: to });
      },
    ),
    editor.post('/account/selection/undo', async (context, form) => {
      const { entered: account } = context.session;
      const last = await bulkEdits.last(account.id);
      if (last?.change.kind === 'replace') requireActivePlan(account, context.nowMs);
      const edit = await bulkEdits.undo(context.acting);
      return respondToEdit(context, edit, ownPath(form.text('list') || '/account/codes'));
    }),
  ];
}

interface PreviewProps {
  readonly selection: Selection;
  readonly change: { readonly replaced: string; readonly replacement: string };
  readonly preview: BulkEditPreview;
  /** The first edits. */
  readonly shown: readonly (CodeEdit & { readonly qr: Qr })[];
}

function PreviewPage({ selection, change, preview, shown }: PreviewProps) {
  const { replaced, replacement } = change;
  const { selected, edits, refused } = preview;
  const unaffected = selected - edits.length - refused.length;
  const t = useTexts();
  const { bulkEdit } = t;
  return (
    <>
      <h1>{bulkEdit.changeDestinations}</h1>
      <p class="intro">
        {[
          bulkEdit.selected({ codes: describeSelection(selection, selected, t) }),
          bulkEdit.willChange({ codes: edits.length }),
          refused.length > 0 && bulkEdit.cannotChange({ codes: refused.length }),
          unaffected > 0 && bulkEdit.doNotContain({ codes: unaffected }),
          bulkEdit.nothingChangedYet,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <div class="row">
        {edits.length > 0 && (
          <PostButton
            to="/account/selection/apply"
            values={{ ...selectionValues(selection), do: 'replace', replaced, replacement }}
          >
            {bulkEdit.changeCodes({ codes: edits.length })}
          </PostButton>
        )}
        <PostButton
          to="/account/selection"
          values={{ ...selectionValues(selection), open: 'destination', replaced, replacement }}
          class="button"
        >
          {bulkEdit.back}
        </PostButton>
      </div>
      {refused.length > 0 && (
        <RefusedEdits
          title={bulkEdit.cannotBeChanged({ codes: refused.length })}
          refused={refused}
        />
      )}
      <section class="card pad stack tight">
        {edits.length > 0 ? (
          <>
            <h2>{bulkEdit.beforeAndAfter}</h2>
            <ol class="list">
              {shown.map(({ qr, before, after }) => (
                <li key={qr.code}>
                  <div>
                    <span>
                      <Link class="name" to={codePath(qr.code)} dir="auto">
                        {titleOf(qr)}
                      </Link>
                      <CodeTags qr={qr} />
                    </span>
                    <span title={readableUrl(before)}>
                      <span class="hidden">{bulkEdit.before} </span>
                      <del>{changedPart(readableUrl(before), readableUrl(after))}</del>
                    </span>
                    <span title={readableUrl(after)}>
                      <span class="hidden">{bulkEdit.after} </span>
                      <ins>{changedPart(readableUrl(after), readableUrl(before))}</ins>
                    </span>
                  </div>
                </li>
              ))}
            </ol>
            {edits.length > shownEdits && (
              <p class="hint">{bulkEdit.andMore({ codes: edits.length - shownEdits })}</p>
            )}
          </>
        ) : (
          <>
            <h2>{bulkEdit.nothingToChange}</h2>
            <p>{bulkEdit.noneContains({ text: replaced })}</p>
          </>
        )}
      </section>
    </>
  );
}

/** Returns an index of a text that cuts no character: the given one, or the one before. */
function wholeCharacterAt(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}

const maxWholeLength = 160;
const contextLength = 60;

/** Returns a destination, of a long one what differs from the other, with some characters around it. */
function changedPart(text: string, other: string): string {
  if (text.length <= maxWholeLength) return text;
  let start = 0;
  while (start < text.length && text[start] === other[start]) start++;
  let end = 0;
  while (end < text.length - start && text.at(-1 - end) === other.at(-1 - end)) end++;
  const from = wholeCharacterAt(text, Math.max(0, start - contextLength));
  const to = wholeCharacterAt(text, Math.min(text.length, text.length - end + contextLength));
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
