/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { DialogActions, DialogPage } from '../../ui/dialog.tsx';
import { FormView, type FormViewProps } from '../../ui/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Submit } from '../../ui/page-context.tsx';
import { dayNames, type PlanForm } from './schedule-form.ts';

type PlanDialogProps = Pick<FormViewProps<PlanForm>, 'form' | 'to' | 'values' | 'hiddenValues'> & {
  readonly title: string;
  readonly back: string;
  /** What is said before the form. */
  readonly text: ComponentChildren;
  /** What follows its fields. */
  readonly children?: ComponentChildren;
};

/**
 * Renders a dialog that plans a change.
 * The style sheet shows what belongs to a choice once it is chosen.
 */
export function PlanDialog({ title, back, text, children, ...form }: PlanDialogProps) {
  return (
    <DialogPage title={title}>
      <p class="small soft">{text}</p>
      <FormView {...form} class="plan-form">
        {({ id, day, time, every, change, url, ...fields }) => (
          <>
            {id}
            <div class="when">
              {day}
              {time}
            </div>
            {every}
            <fieldset class="field weekdays">
              <legend class="legend">On these days</legend>
              <div class="row">{dayNames.map((name) => fields[name])}</div>
              <p class="hint">Each gets a change of its own. Without any, it is the day above.</p>
            </fieldset>
            {change}
            {url}
            <p class="small soft note-line">
              <Icon name="clock" />
              <span>
                Until then nothing changes. The destination is checked now, and again when its time
                comes.
              </span>
            </p>
            {children}
            <DialogActions back={back}>
              <Submit>Plan it</Submit>
            </DialogActions>
          </>
        )}
      </FormView>
    </DialogPage>
  );
}
