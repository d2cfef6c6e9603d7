/** @jsxImportSource preact */
import { Icon } from '../ui/icons.tsx';
import {
  Form,
  HiddenFields,
  Submit,
  type SubmitProps,
  useRequest,
  useTexts,
} from '../ui/page-context.tsx';

const moreMenu = 'selection-more';

/** The id of the form, which the boxes of the rows belong to. */
const selectionForm = 'selection';

interface BarProps {
  /** Path of the list with its query. */
  readonly list: string;
  readonly search: string;
  /** Null for too many to count. */
  readonly total: number | null;
  /** Whether all codes of the list can be selected; only those that are ticked when false. */
  readonly hasAll?: boolean;
}

/** The bar of the ticked codes. The script counts them, and keeps them from page to page. */
export function SelectionBar({ list, search, total, hasAll = true }: BarProps) {
  const { session } = useRequest();
  const { selection: t } = useTexts();
  return (
    <section aria-label={t.title}>
      {/* The script keeps what is ticked for this account. */}
      <Form id={selectionForm} to="/account/selection" data-account={session?.entered.id}>
        <div class="selectbar" role="toolbar" aria-label={t.toolbar}>
          <HiddenFields values={{ q: search, list }} />
          {/* Enter on a ticked box opens the page of the selection, not the first action of the bar. */}
          <button type="submit" hidden />
          <div class="said">
            <b role="status">{t.selected}</b>
            {hasAll && (
              <Submit class="button all" name="all" value="yes" data-total={total ?? undefined}>
                {total === null ? t.allThatMatch : t.all({ codes: total })}
              </Submit>
            )}
            <ClearButton class="phone-only" />
          </div>
          <div class="does">
            <SelectionActions />
          </div>
          <ClearButton class="compact-hide" />
        </div>
        <SelectionMenu />
      </Form>
    </section>
  );
}

/** A button that deselects all. It is beside the count on phones, and else the last one. */
function ClearButton({ class: place }: { class: string }) {
  return (
    <button
      type="reset"
      class={`button square script-only ${place}`}
      aria-label={useTexts().selection.clear}
      data-clear
    >
      <Icon name="cross" />
    </button>
  );
}

/** Renders the cell of a row whose box adds its code to the selection. */
export function TickCell({ code, title }: { readonly code: string; readonly title: string }) {
  return (
    <td class="c-tick">
      <label>
        <input
          class="box"
          type="checkbox"
          name="code"
          value={code}
          form={selectionForm}
          aria-label={useTexts().selection.select({ name: title })}
        />
      </label>
    </td>
  );
}

/**
 * The buttons that do something with a selection, for its form.
 * The script opens their dialogs in place.
 */
export function SelectionActions() {
  const { selection: t } = useTexts();
  return (
    <>
      <DialogButton icon="edit" opens="destination" data-shortcut="e">
        <span class="compact-hide">{t.changeDestination}</span>
        <span class="phone-only">{t.destination}</span>
      </DialogButton>
      <DialogButton icon="folder" opens="folder">
        {t.folder}
      </DialogButton>
      <Submit class="button do" formaction={`${useRequest().basePath}/account/print`} icon="print">
        {t.print}
      </Submit>
      <DialogButton icon="download" opens="download">
        {t.download}
      </DialogButton>
      <DialogButton icon="pause" opens="status" class="button do compact-hide">
        {t.pause}
      </DialogButton>
      <CompareButton class="button do compact-hide" />
      <button type="button" class="button do" popovertarget={moreMenu}>
        <Icon name="dots" />
        {t.more}
      </button>
    </>
  );
}

/** The menu of the actions above. It stands outside the bar: WebKit freezes when the bar of an open menu is hidden. */
export function SelectionMenu() {
  const { selection: t } = useTexts();
  return (
    <div class="menu up" id={moreMenu} popover="auto">
      <DialogButton icon="pause" opens="status" class="phone-only">
        {t.pauseMenu}
      </DialogButton>
      <CompareButton class="phone-only" />
      <DialogButton icon="archive" opens="archive" class="">
        {t.archiveMenu}
      </DialogButton>
      <DialogButton icon="open" opens="query" class="">
        {t.passQueryMenu}
      </DialogButton>
    </div>
  );
}

/** A button that compares the selected codes. A dialog says why if there are too few or too many. */
function CompareButton({ class: look }: { readonly class: string }) {
  const { basePath } = useRequest();
  return (
    <Submit class={look} formaction={`${basePath}/account/compare`} icon="compare" data-dialog>
      {useTexts().selection.compare}
    </Submit>
  );
}

/** A button that opens a dialog of the selection, see `showSelected`. */
function DialogButton({ opens, ...rest }: SubmitProps & { readonly opens: string }) {
  return <Submit class="button do" {...rest} name="open" value={opens} data-dialog />;
}
