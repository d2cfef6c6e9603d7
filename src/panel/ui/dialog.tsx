/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type FormDescription, FormView, type FormViewProps } from './form.tsx';
import { ButtonLink, Submit } from './page-context.tsx';

/**
 * Renders a question or a small form.
 * Links with `data-dialog` show it over their page; without a script, it is a page of its own.
 */
export function DialogPage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card dialog">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface DialogActionsProps {
  /** Path of the page that it belongs to. */
  readonly back: string;
  /** Label of the link to it. */
  readonly label?: string;
  /** What stands at the other side: another way to go. */
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Renders the last line of a dialog: the way back, and its buttons. */
export function DialogActions({ back, label = 'Close', beside, children }: DialogActionsProps) {
  return (
    <div class="actions">
      {beside && (
        <>
          {/* The first button of a form is the one that Enter presses: not the other way. */}
          <button type="submit" hidden />
          <span class="later">{beside}</span>
        </>
      )}
      <ButtonLink to={back} data-close>
        {children ? 'Cancel' : label}
      </ButtonLink>
      {children}
    </div>
  );
}

type FormDialogProps<F extends FormDescription> = Omit<FormViewProps<F>, 'children'> & {
  readonly title: string;
  /** Path of the page that it belongs to. */
  readonly back: string;
  /** Label of its button. */
  readonly button: ComponentChildren;
  /** Whether something is lost by it. */
  readonly isDestroying?: boolean;
  /** What is said before the form. */
  readonly children?: ComponentChildren;
  /** What follows its fields. */
  readonly after?: ComponentChildren;
  /** Another way to go. */
  readonly beside?: ComponentChildren;
};

/** Renders a dialog that consists of one form. */
export function FormDialog<F extends FormDescription>(props: FormDialogProps<F>) {
  const { title, back, button, isDestroying = false, children, after, beside, ...form } = props;
  return (
    <DialogPage title={title}>
      {children}
      <FormView {...form}>
        {after}
        <DialogActions back={back} beside={beside}>
          <Submit class={isDestroying ? 'button destroy' : 'button primary'}>{button}</Submit>
        </DialogActions>
      </FormView>
    </DialogPage>
  );
}
