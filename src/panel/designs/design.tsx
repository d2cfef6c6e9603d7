/** @jsxImportSource preact */
import type { Design } from '../../core/designs/design.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import type { PanelDeps } from '../deps.ts';
import { FormView, toInvalidForm } from '../forms/form.tsx';
import type { RejectedForm, SignedInContext } from '../request/request.ts';
import { fragment, page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { type DesignDraft, designForm, readDesign, valuesOfDesign } from './design-form.ts';
import { Preview, type PreviewProps } from './preview.tsx';
import { renameForm, SavedDesignList, savedDesignPath } from './saved-designs.tsx';

/** Creates the routes of the account's default design and its saved designs. */
export function designRoutes({ designs, savedDesigns }: PanelDeps): Route[] {
  const normalizeLogoOf =
    ({ request, session }: SignedInContext) =>
    (bytes: Uint8Array) =>
      designs.normalizeLogo(session.account.id, bytes, { signal: request.signal });
  const previewOf = ({ request, session }: SignedInContext, design: Design) =>
    designs.preview(session.account.id, design, { signal: request.signal });
  const findDesign = (accountId: number, name: string) =>
    name === '' ? designs.find(accountId) : savedDesigns.designOf(accountId, name);
  const show = async (context: SignedInContext, draft: ShownDraft) => {
    const saved = await savedDesigns.list(context.session.account.id);
    const preview = await previewOf(context, draft.design);
    const form = designForm(normalizeLogoOf(context));
    return page(
      context,
      'Design',
      <DesignPage {...draft} form={form} preview={preview} saved={saved} />,
    );
  };
  const showSaved = async (context: SignedInContext) => {
    const name = context.url.searchParams.get('name') ?? '';
    const design = await findDesign(context.session.account.id, name);
    const draft = { design, name, draftLogo: null, problems: {} };
    return show(context, { ...draft, base: name, isSaved: true });
  };

  /** Saves a design under its name, or as the default. */
  const save = async (context: SignedInContext, { design, name }: DesignDraft) => {
    const { id } = context.session.account;
    if (name === '') {
      await designs.save(id, design);
      return redirectTo(context, '/account/design', { message: { kind: 'designSaved' } });
    }
    await savedDesigns.save(id, name, design);
    return redirectTo(context, savedDesignPath(name), { message: { kind: 'designNamed' } });
  };

  return [
    signedIn.get('/account/design', showSaved),
    signedIn.post('/account/design', async (context, typed) => {
      const base = typed.text('base');
      const saved = await findDesign(context.session.account.id, base);
      const read = await readDesign(typed, saved, normalizeLogoOf(context));
      const draft = { ...read, base, isSaved: false };
      const { design, problems } = draft;
      const reject = (rejected: RejectedForm['problems']) => {
        const form = {
          action: context.url.pathname,
          typed,
          problems: rejected,
          status: 422,
          isShown: false,
        };
        return show({ ...context, rejected: form }, draft);
      };
      const action = typed.text('do');
      if (action === 'fragment') {
        const preview = await previewOf(context, design);
        return fragment(context, <Preview {...draft} preview={preview} />);
      }
      if (action === 'advice') {
        const { advice } = (await previewOf(context, design)).readability;
        const advised = { ...design, ...advice?.changes };
        return show(context, { ...draft, design: advised, problems: {} });
      }
      if (Object.keys(problems).length > 0) return reject(problems);
      if (action !== 'save') return show(context, draft);
      const { design_name } = designForm(normalizeLogoOf(context));
      return save(context, draft).catch((error: unknown) =>
        reject(toInvalidForm(error, { design_name }).problems),
      );
    }),
    signedIn.post('/account/design/saved/default', async (context, typed) => {
      await savedDesigns.makeDefault(context.session.account.id, typed.text('saved'));
      return redirectTo(context, '/account/design', { message: { kind: 'designMadeDefault' } });
    }),
    signedIn.submit(
      '/account/design/saved/rename',
      { form: renameForm(''), page: showSaved },
      async (context, { name }, typed) => {
        await savedDesigns.rename(context.session.account.id, typed.text('saved'), name);
        return redirectTo(context, '/account/design', { message: { kind: 'designRenamed' } });
      },
    ),
    signedIn.post('/account/design/saved/delete', async (context, typed) => {
      await savedDesigns.remove(context.session.account.id, typed.text('saved'));
      return redirectTo(context, '/account/design', { message: { kind: 'designDeleted' } });
    }),
  ];
}

interface ShownDraft extends DesignDraft {
  /** Name of the saved design that the draft began with; empty for the default design. */
  readonly base: string;
  readonly isSaved: boolean;
}

interface DesignPageProps extends PreviewProps, ShownDraft {
  readonly form: ReturnType<typeof designForm>;
  readonly saved: readonly SavedDesign[];
}

function DesignPage(props: DesignPageProps) {
  const { form, base, isSaved, saved } = props;
  return (
    <>
      <h1>Design</h1>
      <p class="intro">
        Changing the design affects new codes only. Existing codes keep the design they were created
        with.
      </p>
      <div class="split">
        <FormView
          form={form}
          to="/account/design"
          values={valuesOfDesign(props)}
          id="design"
          class="card pad stack tight"
          enctype="multipart/form-data"
          // After going back, browsers would restore only some of the fields.
          autocomplete="off"
        >
          {(fields, isRejected) => (
            <>
              {/* Rejected fields keep the values of this saved design. */}
              <input type="hidden" name="base" value={base} />
              <h2>Logo</h2>
              {fields.logo}
              {fields.no_logo}
              {fields.logo_size}
              {fields.logo_patch}
              <h2>Colours</h2>
              {fields.foreground}
              {fields.background}
              {fields.finder_color}
              <h2>Shapes</h2>
              {fields.module_shape}
              {fields.finder_shape}
              {fields.quiet_zone}
              <h2>Save</h2>
              {fields.design_name}
              <div class="row">
                <button type="submit" name="do" value="save" class="button primary">
                  Save design
                </button>
                <noscript>
                  <button type="submit" name="do" value="preview" class="button">
                    Preview without saving
                  </button>
                </noscript>
                <p class="hint unsaved" hidden={isSaved && !isRejected}>
                  Not saved yet
                </p>
              </div>
            </>
          )}
        </FormView>
        <div id="preview">
          <Preview {...props} />
        </div>
      </div>
      <SavedDesignList saved={saved} />
    </>
  );
}
