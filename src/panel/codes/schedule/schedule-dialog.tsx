/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { DialogActions, DialogPage } from '../../ui/dialog.tsx';
import { FormView, type FormViewProps } from '../../ui/form.tsx';
import type { LocalTime } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import { Submit, useRequest, useTexts } from '../../ui/page-context.tsx';
import { movedText } from '../../ui/sentences/plan.ts';
import { weekdays } from '../../ui/sentences/schedule.ts';
import { panelSentence } from '../../ui/sentences/sentences.ts';
import { describePlan, type PlanForm, type TypedPlan } from './schedule-form.ts';

type PlanDialogProps = Pick<FormViewProps<PlanForm>, 'form' | 'to' | 'values' | 'hiddenValues'> & {
  readonly title: string;
  readonly back: string;
  /** What the plan does, as it is typed. */
  readonly proof: ComponentChildren;
  /** Path at which the script asks for it. */
  readonly proofPath: string;
  /** What is said before the form. */
  readonly text: ComponentChildren;
  /** What follows its fields. */
  readonly children?: ComponentChildren;
};

/**
 * Renders a dialog that plans a change.
 * The style sheet shows what belongs to a choice once it is chosen.
 */
export function PlanDialog({
  title,
  back,
  text,
  proof,
  proofPath,
  children,
  ...form
}: PlanDialogProps) {
  const { basePath, texts } = useRequest();
  const { planForm: t } = texts;
  return (
    <DialogPage title={title}>
      <p class="small soft">{text}</p>
      <FormView {...form} class="plan-form" data-proof={`${basePath}${proofPath}`}>
        {({ id, day, time, every, change, url, back: hasEnd, backDay, backTime, ...fields }) => (
          <>
            {id}
            <div class="when">
              {day}
              {time}
            </div>
            {every}
            <fieldset class="field weekdays">
              <legend class="legend">{t.onTheseDays}</legend>
              <div class="row">{weekdays.map((name) => fields[name])}</div>
              <p class="hint">{t.eachItsOwn}</p>
            </fieldset>
            {hasEnd}
            <div class="when end">
              {backDay}
              {backTime}
            </div>
            {change}
            {url}
            <div class="proof" id="proof" role="status">
              {proof}
            </div>
            <Submit class="button no-script" name="do" value="check" formnovalidate>
              {t.seeWhatHappens}
            </Submit>
            {children}
            <DialogActions back={back}>
              <Submit>{t.planIt}</Submit>
            </DialogActions>
          </>
        )}
      </FormView>
    </DialogPage>
  );
}

interface PlanProofProps {
  readonly typed: TypedPlan;
  /** Where the code leads now; null for several codes. */
  readonly from: string | null;
  readonly local: LocalTime;
}

/** Says what a plan that is being typed will do. */
export function PlanProof({ typed, from, local }: PlanProofProps) {
  const t = useTexts();
  const said = describePlan(typed, from, local);
  return (
    <>
      <Icon name="clock" />
      <p>
        {said === null ? (
          local.texts.planForm.chooseDayAndTime
        ) : 'problem' in said ? (
          panelSentence(said.problem, t)
        ) : (
          <>
            <b>{said.when}</b> {said.what}
            {said.moved !== null && ` ${movedText(said.moved, local)}`}
          </>
        )}
      </p>
    </>
  );
}
