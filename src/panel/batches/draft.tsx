/** @jsxImportSource preact */
import { ApiError } from '../../core/errors.ts';
import type { PanelDeps } from '../deps.ts';
import { noFields, type SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { InvalidForm, readFields } from '../ui/form.tsx';
import { batchPath, findBatch } from './batch-path.ts';
import { actionOf, formOf, readDraft, typedRows } from './draft-form.ts';
import { Draft } from './draft-page.tsx';

// Many rows of fields that are all as long as they may be, percent-encoded.
const maxDraftBytes = 4_000_000;

/** Creates the route that corrects the rows of a checked table and creates its codes. */
export function draftRoutes(deps: PanelDeps): Route[] {
  const { batches } = deps;
  return [
    signedIn.submit(
      '/account/batches/:id',
      {
        form: async (context, typed) => formOf(deps, await readDraft(deps, context, typed), typed),
        page: (context, typed) => showDraft(deps, context, typed),
        maxBytes: maxDraftBytes,
        needsPlan: true,
      },
      async (context, { design, folder, ...cells }, typed) => {
        const { accountId } = context;
        const batch = await findBatch(batches, context);
        // Sending the form twice creates the codes once.
        if (batch.state !== 'draft') return redirectTo(context, batchPath(batch.id));
        const { action, row } = actionOf(typed);
        await batches.correct(accountId, batch.id, {
          typed: typedRows(cells),
          leaveOut: action === 'leave-all' ? 'all' : action === 'leave' ? row : undefined,
          putBack: action === 'back' ? row : undefined,
          again: action === 'again',
        });
        const { refused } = await batches.find(accountId, batch.id);
        if (action !== 'create' || refused > 0)
          throw new InvalidForm({}, refused > 0 && row === undefined ? 422 : 200);
        const choice = { designId: design, folder };
        await batches.start(accountId, batch.id, choice).catch((error: unknown) => {
          // The page says it beside the design.
          if (error instanceof ApiError && error.code === 'design_unreadable')
            throw new InvalidForm({});
          throw error;
        });
        return redirectTo(context, batchPath(batch.id));
      },
    ),
  ];
}

/** Responds with the page of a draft, as typed if its form was sent. */
export async function showDraft(
  deps: PanelDeps,
  context: SignedInContext,
  typed = noFields,
): Promise<Response> {
  const state = await readDraft(deps, context, typed);
  const form = await formOf(deps, state, typed);
  const { batch } = state;
  const { values } = await readFields({ design: form.design }, typed);
  const designId = values.design ?? batch.designId;
  const readability = await deps.batches.readability(batch.accountId, designId);
  return page(
    context,
    'Check your table',
    <Draft {...state} form={form} typed={typed} readability={readability} />,
  );
}
