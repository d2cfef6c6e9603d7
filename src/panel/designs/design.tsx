/** @jsxImportSource preact */
import {
  designBounds,
  finderShapes,
  logoPatches,
  maxLogoBytes,
  moduleShapes,
} from '../../core/designs/design.ts';
import type { SavedDesign } from '../../core/ports.ts';
import { maxNameInput } from '../codes/labels.tsx';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { fragment, page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Field } from '../ui/fields.tsx';
import { Form } from '../ui/page-context.tsx';
import { Choice, ColorField, Problem, Slider } from './controls.tsx';
import { type DesignDraft, readDesign } from './design-form.ts';
import { Preview, type PreviewProps } from './preview.tsx';
import { SavedDesignList, savedDesignPath } from './saved-designs.tsx';

/** Creates the routes of the account's default design. */
export function designRoutes({ designs, savedDesigns }: PanelDeps): Route[] {
  const show = async (context: SignedInContext, draft: NamedDraft, isSaved: boolean) => {
    const isRejected = Object.keys(draft.problems).length > 0;
    const saved = await savedDesigns.list(context.session.account.id);
    return page(
      context,
      'Design',
      <DesignPage
        {...draft}
        preview={await designs.preview(draft.design)}
        isSaved={isSaved}
        saved={saved}
      />,
      isRejected ? 422 : 200,
    );
  };

  /** Applies the readability check's suggestions. Rejected fields keep their saved values. */
  const withSuggestedChanges = async ({ design, ...draft }: NamedDraft) => {
    const { advice } = (await designs.preview(design)).readability;
    return { ...draft, design: { ...design, ...advice?.changes }, problems: {} };
  };

  return [
    signedIn.get('/account/design', async (context) => {
      const { id } = context.session.account;
      const name = context.url.searchParams.get('name') ?? '';
      const design = await (name === '' ? designs.find(id) : savedDesigns.designOf(id, name));
      return show(context, { design, draftLogo: null, problems: {}, name, base: name }, true);
    }),
    signedIn.post('/account/design', async (context, form) => {
      const { id } = context.session.account;
      const base = form.text('base');
      const saved = await (base === '' ? designs.find(id) : savedDesigns.designOf(id, base));
      const name = form.text('design_name').trim();
      const draft = { ...(await readDesign(form, saved, designs.normalizeLogo)), name, base };
      const action = form.text('do');
      if (action === 'fragment') {
        const preview = await designs.preview(draft.design);
        return fragment(context, <Preview {...draft} preview={preview} />);
      }
      if (action === 'advice') return show(context, await withSuggestedChanges(draft), false);
      if (action !== 'save' || Object.keys(draft.problems).length > 0)
        return show(context, draft, false);
      if (name === '') {
        await designs.save(id, draft.design);
        return redirectTo(context, '/account/design?done=saved');
      }
      await savedDesigns.save(id, name, draft.design);
      return redirectTo(context, `${savedDesignPath(name)}&done=design-named`);
    }),
  ];
}

interface NamedDraft extends DesignDraft {
  /** Name to save it under; empty for the default design. */
  readonly name: string;
  /** Name of the saved design that the draft began with; empty for the default design. */
  readonly base: string;
}

interface DesignPageProps extends PreviewProps, NamedDraft {
  readonly isSaved: boolean;
  readonly saved: readonly SavedDesign[];
}

function DesignPage(props: DesignPageProps) {
  const { design, isSaved, problems, name, base, saved } = props;
  return (
    <>
      <h1>Design</h1>
      <p class="lead">
        Changing the design affects new codes only. Existing codes keep the design they were created
        with.
      </p>
      <div class="columns">
        <Form
          to="/account/design"
          id="design"
          class="card stack"
          enctype="multipart/form-data"
          // After going back, browsers would restore only some of the fields.
          autocomplete="off"
        >
          {/* Rejected fields keep the values of this saved design. */}
          <input type="hidden" name="base" value={base} />
          <LogoFields {...props} />
          <h2>Colours</h2>
          <ColorField
            id="foreground"
            label="Foreground"
            value={design.foreground}
            problem={problems.foreground}
          />
          <ColorField
            id="background"
            label="Background"
            value={design.background}
            problem={problems.background}
          />
          <ColorField
            id="finder_color"
            label="Finder pattern colour"
            value={design.finderColor ?? ''}
            placeholder="as foreground"
            follows="foreground"
            problem={problems.finder_color}
          />
          <h2>Shapes</h2>
          <Choice
            name="module_shape"
            label="Module shape"
            values={moduleShapes}
            value={design.moduleShape}
          />
          <Choice
            name="finder_shape"
            label="Finder pattern shape"
            values={finderShapes}
            value={design.finderShape}
          />
          <Slider
            id="quiet_zone"
            label="Quiet zone"
            unit="modules"
            bounds={designBounds.quietZoneModules}
            value={design.quietZoneModules}
          />
          <h2>Save</h2>
          <Field
            id="design_name"
            label="Name (optional)"
            hint="With a name, you choose the design when you create codes. Without, it becomes the default design, which the API uses."
            value={name}
            maxLength={maxNameInput}
            autocomplete="off"
          />
          <div class="row">
            <button type="submit" name="do" value="save">
              Save design
            </button>
            <noscript>
              <button type="submit" name="do" value="preview" class="quiet">
                Preview without saving
              </button>
            </noscript>
            <p class="hint unsaved" hidden={isSaved}>
              Not saved yet
            </p>
          </div>
        </Form>
        <div id="preview">
          <Preview {...props} />
        </div>
      </div>
      <SavedDesignList saved={saved} />
    </>
  );
}

function LogoFields({ design, problems }: DesignDraft) {
  return (
    <>
      <h2>Logo</h2>
      <div class="field">
        <label for="logo">Upload a logo</label>
        <p class="hint" id="logo-hint">
          PNG, JPEG, WebP or SVG, up to {maxLogoBytes / 1_000_000} MB. You can also drop a file on
          the field.
        </p>
        <input
          id="logo"
          name="logo"
          type="file"
          accept=".png,.jpg,.jpeg,.webp,.svg,image/png,image/jpeg,image/webp,image/svg+xml"
          aria-describedby="logo-hint logo-problem"
          aria-invalid={problems.logo === undefined ? undefined : 'true'}
        />
        <Problem field="logo" text={problems.logo} />
      </div>
      <label class="check">
        <input type="checkbox" name="no_logo" value="yes" checked={design.logo === null} />
        No logo
      </label>
      <Slider
        id="logo_size"
        label="Logo size"
        unit="%"
        bounds={designBounds.logoSizePercent}
        value={design.logoSizePercent}
      />
      <Choice
        name="logo_patch"
        label="Space behind the logo"
        values={logoPatches}
        value={design.logoPatch}
      />
    </>
  );
}
