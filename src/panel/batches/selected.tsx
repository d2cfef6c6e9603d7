/** @jsxImportSource preact */
import type { BulkEditPreview } from '../../core/batches/bulk-edits.ts';
import { InvalidInput } from '../../core/errors.ts';
import type { PanelDeps } from '../deps.ts';
import { page } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Field } from '../ui/fields.tsx';
import { Notice } from '../ui/components.tsx';
import { formatCount } from '../ui/formatting.ts';
import { Form, Link, useHasActivePlan } from '../ui/page-context.tsx';
import { LastBulkEdit } from './last-bulk-edit.tsx';
import {
  describeSelection,
  type Selection,
  SelectionFields,
  selectionOf,
  wantedCodes,
} from './selection.tsx';

/** Creates the route of the page of selected codes. */
export function selectedRoutes({ bulkEdits, servedPrefixes }: PanelDeps): Route[] {
  return [
    signedIn.get('/account/selection', async (context) => {
      const { id } = context.session.account;
      const selection = selectionOf(context.url);
      const wanted = wantedCodes(selection, servedPrefixes);
      const preview = (kind: 'pause' | 'resume') =>
        bulkEdits.preview(id, wanted, { kind }).catch((error: unknown) => {
          if (error instanceof InvalidInput) return error.message;
          throw error;
        });
      return page(
        context,
        'Selected codes',
        <SelectedPage
          selection={selection}
          pause={await preview('pause')}
          resume={await preview('resume')}
        >
          <LastBulkEdit edit={await bulkEdits.last(id)} maxAgeMs={Number.POSITIVE_INFINITY} />
        </SelectedPage>,
      );
    }),
  ];
}
