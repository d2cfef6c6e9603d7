/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type FormDescription, FormView, type FormViewProps } from './form.tsx';
import { ButtonLink, Submit, useRequest, useTexts } from './page-context.tsx';

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

interface ReadyDialogProps {
  /** The path of its links. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** Puts the page of links with `data-dialog` into their page, so that the script opens it without a request. */
export function ReadyDialog({ of, children }: ReadyDialogProps) {
  return <template data-of={`${useRequest().basePath}${of}`}>{children}</template>;
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
export function DialogActions({ back, label, beside, children }: DialogActionsProps) {
  const t = useTexts();
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
        {children ? t.common.cancel : (label ?? t.common.close)}
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
  /** Fields that are folded until the form is rejected. */
  readonly folded?: readonly (keyof F & string)[];
};

/** Renders a dialog that consists of one form. */
export function FormDialog<F extends FormDescription>(props: FormDialogProps<F>) {
  const { title, back, button, isDestroying = false, children, after, beside, ...rest } = props;
  const { folded = [], ...form } = rest;
  const t = useTexts();
  const isFolded = (name: string) => folded.some((one) => one === name);
  return (
    <DialogPage title={title}>
      {children}
      <FormView {...form}>
        {(fields, isRejected) => (
          <>
            {Object.entries(fields).map(([name, field]) => !isFolded(name) && field)}
            {folded.length > 0 && (
              <details open={isRejected}>
                <summary>{t.common.more}</summary>
                <div class="stack">{folded.map((name) => fields[name])}</div>
              </details>
            )}
            {after}
            <DialogActions back={back} beside={beside}>
              <Submit class={isDestroying ? 'button destroy' : 'button primary'}>{button}</Submit>
            </DialogActions>
          </>
        )}
      </FormView>
    </DialogPage>
  );
}
