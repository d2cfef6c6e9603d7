/** @jsxImportSource preact */
import { formatNumber } from '../../lib/numbers.ts';
import { Icon } from '../ui/icons.tsx';
import { Form, HiddenFields, Submit, type SubmitProps, useRequest } from '../ui/page-context.tsx';

/** The id of the form, which the boxes of the rows belong to. */
export const selectionForm = 'selection';

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
  return (
    <section aria-label="Selection">
      {/* The script keeps what is ticked for this account. */}
      <Form id={selectionForm} to="/account/selection" data-account={session?.entered.id}>
        <div class="selectbar" role="toolbar" aria-label="Selected codes">
          <HiddenFields values={{ q: search, list }} />
          {/* Enter on a ticked box opens the page of the selection, not the first action of the bar. */}
          <button type="submit" hidden />
          <b role="status">Selected</b>
          {hasAll && (
            <Submit class="button all" name="all" value="yes">
              All {total === null ? 'that match' : formatNumber(total)}
            </Submit>
          )}
          <SelectionActions />
          <button
            type="reset"
            class="button square script-only"
            aria-label="Clear the selection"
            data-clear
          >
            <Icon name="cross" />
          </button>
        </div>
      </Form>
    </section>
  );
}

/**
 * The buttons that do something with a selection, for its form.
 * The script opens their dialogs in place.
 */
export function SelectionActions() {
  return (
    <>
      <DialogButton icon="edit" opens="destination" data-shortcut="e">
        <span class="compact-hide">Change destination</span>
        <span class="phone-only">Destination</span>
      </DialogButton>
      <DialogButton icon="folder" opens="folder">
        Folder
      </DialogButton>
      <Submit class="button do" formaction={`${useRequest().basePath}/account/print`} icon="print">
        Print
      </Submit>
      <DialogButton icon="download" opens="download">
        Download
      </DialogButton>
      <DialogButton icon="pause" opens="status">
        Pause
      </DialogButton>
      <DialogButton icon="archive" opens="archive">
        Archive
      </DialogButton>
    </>
  );
}

/** A button that opens a dialog of the selection, see `showSelected`. */
function DialogButton({ opens, ...rest }: SubmitProps & { readonly opens: string }) {
  return <Submit {...rest} class="button do" name="open" value={opens} data-dialog />;
}
