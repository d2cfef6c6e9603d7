/** @jsxImportSource preact */

import { hasActivePlan } from '../../core/accounts/account.ts';
import { includesRole } from '../../core/accounts/people/role.ts';
import { newToken } from '../../core/accounts/session.ts';
import type { Folder } from '../../core/codes/ports.ts';
import type { DomainChoices } from '../../core/codes/urls/new-domain.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { ServerBusy } from '../../core/errors.ts';
import { type ChosenDesign, chosenDesign } from '../designs/design-field.tsx';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { FormDialog, ReadyDialog } from '../ui/dialog.tsx';
import { TextLink, useTexts } from '../ui/page-context.tsx';
import { createForm } from './code-forms.ts';

interface NewCodeProps {
  readonly designs: readonly SavedDesign[];
  readonly folders: readonly Folder[];
  readonly domains: DomainChoices;
  readonly chosen: ChosenDesign;
  /** Identifies the form, see `createForm`. */
  readonly attempt: string;
  /** Path of the list to go back to; empty for that of all codes. */
  readonly list: string;
  /** What is filled in. */
  readonly values: Readonly<Partial<Record<'url' | 'name' | 'folder' | 'design', string>>>;
}

/** Renders the form of a new code. What most codes do without is folded. */
export function NewCode(props: NewCodeProps) {
  const { designs, folders, domains, chosen, attempt, list, values } = props;
  const t = useTexts();
  return (
    <FormDialog
      title={t.newCode.title}
      form={createForm(designs, folders, domains, chosen)}
      folded={['note', 'path']}
      to="/account/codes"
      values={{ domain: domains.preset, ...values, attempt }}
      problems={chosen.problem === null ? {} : { design: chosen.problem }}
      hiddenValues={{ list }}
      back={list || '/account/codes'}
      button={t.newCode.create}
    >
      {/* The button of the list has no place on phones. */}
      <p class="small phone-only">
        {t.newCode.manyAtOnce({
          link: (text) => <TextLink to="/account/batches">{text}</TextLink>,
        })}
      </p>
    </FormDialog>
  );
}

/** Returns the path of the form of a new code, which leads back to a list. */
export function newCodePath(query: Readonly<Record<string, string>>): string {
  const { size } = new URLSearchParams(query);
  return size === 0 ? '/account/new' : `/account/new?${new URLSearchParams(query)}`;
}

/**
 * Returns the form of a new code for a page with a button that opens it; null for who cannot create one, or while the
 * design cannot be checked.
 *
 * @param query that of the button
 */
export async function readyNewCode(
  deps: Pick<PanelDeps, 'designs' | 'qrs' | 'savedDesigns' | 'randomBytes'>,
  context: SignedInContext,
  folders: readonly Folder[],
  query: Readonly<Record<string, string>> = {},
) {
  const { accountId, session, nowMs } = context;
  if (!includesRole(session.role, 'editor') || !hasActivePlan(session.entered, nowMs)) return null;
  try {
    const { list = '', ...values } = query;
    const props = {
      designs: await deps.savedDesigns.list(accountId),
      domains: await deps.qrs.newDomains.choicesOf(accountId, query['folder'] ?? null),
      chosen: await chosenDesign(deps, context, ''),
      attempt: newToken(deps.randomBytes),
    };
    return (
      <ReadyDialog of={newCodePath(query)}>
        <NewCode {...props} folders={folders} list={list} values={values} />
      </ReadyDialog>
    );
  } catch (error) {
    if (error instanceof ServerBusy) return null;
    throw error;
  }
}
