/** @jsxImportSource preact */
import type { FormerDestination } from '../../core/codes/ports.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { TextLink } from '../ui/page-context.tsx';
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
  return (
    <FormDialog
      title={`Change where “${titleOf(qr)}” leads`}
      form={destinationForm(qr)}
      to={`${codePath(qr.code)}/destination`}
      values={{ url: qr.destination }}
      hiddenValues={{ list }}
      back={list || codePath(qr.code)}
      button="Save"
      after={<UsedBefore former={former} />}
      beside={
        <TextLink
          to={`${planPathOf(qr.code)}${list && `?${new URLSearchParams({ list })}`}`}
          data-dialog
          data-carries="url"
        >
          Plan it for later
        </TextLink>
      }
    >
      <p class="small soft">
        The printed code stays the same. Phones follow from the next scan on.
      </p>
    </FormDialog>
  );
}

/** Pauses a code, with a message for its visitors. */
export function PauseDialog({ qr, list = '' }: CodeDialogProps) {
  return (
    <FormDialog
      title={`Pause “${titleOf(qr)}”`}
      form={pauseForm}
      to={`${codePath(qr.code)}/pause`}
      hiddenValues={{ list }}
      back={list || codePath(qr.code)}
      button="Pause"
    >
      <p class="small soft">Visitors see a page that says so, until you resume it.</p>
    </FormDialog>
  );
}
