/** @jsxImportSource preact */
import type { FormerDestination } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { TextLink, useTexts } from '../ui/page-context.tsx';
import { UsedBefore } from './code-destination.tsx';
import { destinationForm, pauseForm } from './code-forms.ts';
import { codePath, titleOf } from './code-label.tsx';
import { planPathOf } from './schedule/schedule-list.tsx';

interface CodeDialogProps {
  readonly qr: Qr;
  /** Path of the list to go back to; empty for the page of the code. */
  readonly list?: string;
}

interface DestinationDialogProps extends CodeDialogProps {
  /** Destinations that it had before, see `usedBefore`. */
  readonly former: readonly FormerDestination[];
}

/** Changes where a code leads. */
export function DestinationDialog({ qr, list = '', former }: DestinationDialogProps) {
  const t = useTexts();
  return (
    <FormDialog
      title={t.destination.changeQuestion({ name: titleOf(qr) })}
      form={destinationForm(qr)}
      to={`${codePath(qr.code)}/destination`}
      values={{ url: qr.destination }}
      hiddenValues={{ list }}
      back={list || codePath(qr.code)}
      button={t.common.save}
      after={<UsedBefore former={former} />}
      beside={
        <TextLink
          to={`${planPathOf(qr.code)}${list && `?${new URLSearchParams({ list })}`}`}
          data-dialog
          data-carries="url"
        >
          {t.destination.planForLater}
        </TextLink>
      }
    >
      <p class="small soft">{t.destination.printedStaysSame}</p>
    </FormDialog>
  );
}

/** Pauses a code, with a message for its visitors. */
export function PauseDialog({ qr, list = '' }: CodeDialogProps) {
  const t = useTexts().code;
  return (
    <FormDialog
      title={t.pauseQuestion({ name: titleOf(qr) })}
      form={pauseForm}
      to={`${codePath(qr.code)}/pause`}
      hiddenValues={{ list }}
      back={list || codePath(qr.code)}
      button={t.pause}
    >
      <p class="small soft">{t.pausing}</p>
    </FormDialog>
  );
}
