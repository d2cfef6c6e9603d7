/** @jsxImportSource preact */
import { type Design, type Logo, plainDesign, toExternalNames } from '../../core/designs/design.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { designPresets } from '../../core/designs/presets.ts';
import { InvalidInput } from '../../core/errors.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { screenImageResponse } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { Image, Notice, PageHead } from '../ui/components.tsx';
import { QuerySelect } from '../ui/fields.tsx';
import { FormView, InvalidForm, rejectedForm, toInvalidForm } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { PreviewScript } from '../ui/layout.tsx';
import { Submit, useRejected, useRequest } from '../ui/page-context.tsx';
import {
  type DesignDraft,
  designForm,
  type LogoReader,
  readDesign,
  valuesOfDesign,
} from './design-form.tsx';
import { AdviceButton, Preview, type PreviewProps } from './preview.tsx';
import { renameForm, SavedDesignList, savedDesignPath } from './saved-designs.tsx';

/** Creates the routes of the account's default design and its saved designs. */
export function designRoutes({ designs, savedDesigns, keptPictures }: PanelDeps): Route[] {
  const logosOf = ({ request, accountId }: SignedInContext): LogoReader => {
    const normalize = (bytes: Uint8Array) =>
      designs.normalizeLogo(accountId, bytes, { signal: request.signal });
    return {
      normalize,
      draft: async (digest) => {
        const kept = await keptPictures.find(accountId, digest);
        if (kept === null)
          throw new InvalidInput('The logo was chosen more than a day ago. Choose the file again.');
        // The digest may be that of another picture.
        return normalize(kept);
      },
    };
  };
  const checkOf = ({ request, accountId }: SignedInContext, design: Design) =>
    designs.check(accountId, design, { signal: request.signal });
  /** Keeps a picture and returns its address. */
  const keep = async ({ accountId }: SignedInContext, picture: Uint8Array) =>
    picturePathOf(await keptPictures.keep(accountId, picture));
  const previewOf = async (context: SignedInContext, design: Design, size: 'large' | 'medium') => {
    const { request, accountId } = context;
    const work = { signal: request.signal };
    const { readability, picture } = await designs.preview(accountId, design, size, work);
    return { readability, path: await keep(context, picture) };
  };
  const findDesign = (accountId: number, name: string) =>
    name === '' ? designs.find(accountId) : savedDesigns.designOf(accountId, name);
  /** Renders a design, and how it looks with the advised changes or without what costs most. */
  const previewsOf = async (context: SignedInContext, design: Design) => {
    const preview = await previewOf(context, design, 'large');
    const { isReadable, score, advice } = preview.readability;
    const advised =
      advice && (await previewOf(context, { ...design, ...advice.changes }, 'medium'));
    const simpler = isReadable ? simplerDesign(design) : null;
    const better = simpler && (await checkOf(context, simpler.design)).score;
    return {
      preview,
      advised,
      simpler:
        simpler && better !== null && better > score
          ? { without: simpler.without, score: better }
          : null,
    };
  };
  const shownLogo = async (context: SignedInContext, logo: Logo | null) => {
    if (logo === null) return null;
    const { accountId, request } = context;
    const picture = await designs.logoPicture(accountId, logo, { signal: request.signal });
    return { logo, path: await keep(context, picture) };
  };
  const show = async (context: SignedInContext, draft: ShownDraft) => {
    const saved = await savedDesigns.list(context.accountId);
    const previews = await previewsOf(context, draft.design);
    const { design, draftLogo } = draft;
    const { accountId } = context;
    const form = designForm(logosOf(context), await shownLogo(context, design.logo));
    const draftLogoDigest = draftLogo && (await keptPictures.keep(accountId, draftLogo.png));
    const props = { ...draft, ...previews, draftLogoDigest, form, saved };
    return page(context, 'Design', <DesignPage {...props} />);
  };
  const showSaved = async (context: SignedInContext) => {
    const name = context.url.searchParams.get('name') ?? '';
    const design = await findDesign(context.accountId, name);
    const draft = { design, name, draftLogo: null, problems: {} };
    return show(context, { ...draft, base: name, isSaved: true });
  };

  /** Saves a design under a name, or as the default. The page says itself that it is unreadable. */
  const save = async (context: SignedInContext, design: Design, name: string) => {
    if (name === '') await designs.save(context.acting, design);
    else await savedDesigns.save(context.acting, name, design);
    const isReadable = await checkOf(context, design).then(
      (readability) => readability.isReadable,
      () => true,
    );
    const message = { kind: name === '' ? 'designSaved' : 'designNamed' } as const;
    const path = name === '' ? '/account/design' : savedDesignPath(name);
    return redirectTo(context, path, isReadable ? message : undefined);
  };

  return [
    viewer.get('/account/design', showSaved),
    viewer.get('/account/design/presets/:name', async ({ request, accountId, params }) => {
      const preset = designPresets.find(({ name }) => name === params['name']);
      if (preset === undefined) throw pageNotFound();
      return screenImageResponse(
        await designs.presetPicture(accountId, preset, { signal: request.signal }),
      );
    }),
    viewer.get(picturePathOf(':digest'), async ({ accountId, params }) => {
      const picture = await keptPictures.find(accountId, params['digest'] ?? '');
      if (picture === null) throw pageNotFound();
      return screenImageResponse(picture);
    }),
    editor.post('/account/design', async (context, typed) => {
      const base = typed.text('base');
      const saved = await findDesign(context.accountId, base);
      const read = await readDesign(typed, saved, logosOf(context));
      const draft = { ...read, base, isSaved: false };
      const { design, problems } = draft;
      const reject = (rejection: InvalidForm) =>
        show({ ...context, rejected: rejectedForm(context, typed, rejection) }, draft);
      const action = typed.text('do');
      if (action === 'advice') {
        const { advice } = await checkOf(context, design);
        const advised = { ...design, ...advice?.changes };
        return show(context, { ...draft, design: advised, problems: {} });
      }
      const preset = designPresets.find(({ name }) => action === `preset ${name}`);
      if (preset !== undefined)
        return show(context, { ...draft, design: { ...design, ...preset.changes }, problems: {} });
      if (Object.keys(problems).length > 0) return reject(new InvalidForm(problems));
      const names: Readonly<Record<string, string>> = { save: draft.name, same: base, default: '' };
      const name = names[action];
      if (name === undefined) return show(context, draft);
      const { design_name } = designForm(logosOf(context));
      return save(context, design, name).catch((error: unknown) =>
        reject(toInvalidForm(error, { design_name })),
      );
    }),
    editor.post('/account/design/saved/default', async (context, typed) => {
      await savedDesigns.makeDefault(context.acting, typed.text('saved'));
      return redirectTo(context, '/account/design', { kind: 'designMadeDefault' });
    }),
    editor.submit(
      '/account/design/saved/rename',
      { form: renameForm(''), page: showSaved },
      async (context, { name }, typed) => {
        await savedDesigns.rename(context.acting, typed.text('saved'), name);
        return redirectTo(context, '/account/design', { kind: 'designRenamed' });
      },
    ),
    editor.post('/account/design/saved/delete', async (context, typed) => {
      await savedDesigns.remove(context.acting, typed.text('saved'));
      return redirectTo(context, '/account/design', { kind: 'designDeleted' });
    }),
  ];
}

/** Returns the path of a picture that is kept for a day. */
function picturePathOf(digest: string): string {
  return `/account/design/pictures/${digest}`;
}

/** Returns a design without its logo, or one without a logo in black on white; null for black on white. */
function simplerDesign(design: Design): { without: string; design: Design } | null {
  // The size of a logo is that of its side.
  const covered = Math.round(design.logoSizePercent ** 2 / 100);
  if (design.logo !== null)
    return {
      without: `The logo covers ${covered} % of the pattern. Without it`,
      design: { ...design, logo: null },
    };
  const { foreground, background, finderColor } = plainDesign;
  const isPlain =
    design.foreground === foreground &&
    design.background === background &&
    (design.finderColor ?? foreground) === foreground;
  return isPlain
    ? null
    : {
        without: 'In black on white',
        design: { ...design, foreground, background, finderColor },
      };
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
  const { base, isSaved, preview, saved } = props;
  const { readability } = preview;
  return (
    <>
      <PageHead
        title={base === '' ? 'Default design' : <bdi>{base}</bdi>}
        beside={base === '' && <span class="pill plain compact-hide">New codes use it</span>}
      >
        {saved.length > 0 && (
          // The script opens the chosen design at once.
          <form class="row" action={`${useRequest().basePath}/account/design`} data-choice>
            <QuerySelect
              name="name"
              label="Design to edit"
              options={['', ...saved.map(({ name }) => name)].map((value) => ({
                value,
                text: value || 'Default design',
              }))}
              value={base}
            />
            <Submit class="button no-script">Open</Submit>
          </form>
        )}
      </PageHead>
      {isSaved && !readability.isReadable && (
        <Notice
          kind="warn"
          title="Saved, but phones can’t read it"
          action={readability.advice && <AdviceButton advice={readability.advice} />}
        >
          No code can be created with it until you fix it.
        </Notice>
      )}
      <PreviewScript />
      <div class="studio">
        <DesignFields {...props} />
        <div class="view">
          <div id="preview">
            <Preview {...props} />
          </div>
          <p class="small soft compact-hide">
            Printed and existing codes keep the design they were created with.
          </p>
        </div>
      </div>
      {saved.length > 0 && <SavedDesignList saved={saved} />}
      <div class="savebar">
        <span class="small soft" id="unsaved">
          {!isSaved &&
            (readability.isReadable
              ? 'Unsaved changes'
              : 'You can save it, but no code can be created with it.')}
        </span>
        <span class="grow" />
        <button type="button" class="button" popovertarget="save-as">
          Save as…
        </button>
        <Submit form="design" name="do" value={base === '' ? 'default' : 'same'}>
          {base === '' ? 'Save as default' : 'Save'}
        </Submit>
      </div>
    </>
  );
}

function DesignFields({ form, base, ...draft }: DesignPageProps) {
  const hasWrongName = useRejected('/account/design')?.problems['design_name'] !== undefined;
  return (
    <FormView
      form={form}
      to="/account/design"
      values={valuesOfDesign(draft)}
      id="design"
      class="stack"
      enctype="multipart/form-data"
      // After going back, browsers would restore only some of the fields.
      autocomplete="off"
    >
      {(fields) => (
        <>
          {/* Rejected fields keep the values of this saved design. */}
          <input type="hidden" name="base" value={base} />
          {/* The first button of a form is the one that Enter presses. */}
          <Submit class="button no-script" name="do" value="preview">
            Check
          </Submit>
          <Card isRegion title="Start from">
            <Presets design={draft.design} />
          </Card>
          <Card isRegion title="Logo" class="card pad stack">
            {fields.logo}
            {fields.no_logo}
            <div class="two fold">
              {fields.logo_size}
              {fields.logo_patch}
            </div>
          </Card>
          <Card isRegion title="Colours">
            <div class="colours">
              {fields.foreground}
              {fields.background}
              {fields.finder_color}
            </div>
          </Card>
          <Card isRegion title="Shapes" class="card pad stack">
            <div class="two fold">
              {fields.module_shape}
              {fields.finder_shape}
            </div>
            {fields.quiet_zone}
          </Card>
          {/* A name that was rejected is in view. */}
          <div
            id="save-as"
            {...(hasWrongName ? { class: 'card pad stack' } : { class: 'pop', popover: 'auto' })}
          >
            {fields.design_name}
            <Submit name="do" value="save">
              Save design
            </Submit>
          </div>
        </>
      )}
    </FormView>
  );
}

/** The presets as pictures: buttons that change colours and shapes. */
function Presets({ design }: { design: Design }) {
  return (
    <div class="presets">
      {designPresets.map(({ name, changes }) => {
        const isSame = Object.entries({ ...design, ...changes }).every(
          ([key, value]) => design[key as keyof Design] === value,
        );
        return (
          <Submit
            key={name}
            class="picture preset"
            name="do"
            value={`preset ${name}`}
            aria-pressed={isSame}
            data-values={JSON.stringify(toExternalNames(changes))}
            formNoValidate
          >
            <Image path={`/account/design/presets/${name}`} alt="" widthPx={80} />
            <span>{name}</span>
            <span class="checked" aria-hidden="true">
              <Icon name="tick" />
            </span>
          </Submit>
        );
      })}
    </div>
  );
}
