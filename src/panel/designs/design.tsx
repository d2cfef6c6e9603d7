/** @jsxImportSource preact */
import { type Design, plainDesign, toExternalNames } from '../../core/designs/design.ts';
import { designPresets } from '../../core/designs/presets.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import type { SignedInContext } from '../request/request.ts';
import { screenImageResponse, screenImageUrl } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { Card, ListCard } from '../ui/cards.tsx';
import { Image, Menu, Notice, PageHead } from '../ui/components.tsx';
import { FormView, InvalidForm, rejectedForm, toInvalidForm } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { PreviewScript, StudioStyle } from '../ui/layout.tsx';
import {
  ButtonLink,
  Link,
  PostButton,
  Submit,
  useMayEdit,
  useRejected,
  useTexts,
} from '../ui/page-context.tsx';
import {
  type DesignDifference,
  type DesignDraft,
  designForm,
  differenceOf,
  type LogoReader,
  readDesign,
  valuesOfDesign,
} from './design-form.tsx';
import {
  AdviceButton,
  type Costs,
  Preview,
  type PreviewState,
  type SavedState,
} from './preview.tsx';
import {
  DeleteDialog,
  type DesignTile,
  DesignTiles,
  designPicturePath,
  RenameDialog,
  renameForm,
  savedDesignPath,
} from './saved-designs.tsx';

/** More saved designs are shown without their readability: each takes some tens of milliseconds once. */
const maxCheckedDesigns = 20;

/** Creates the routes of the account's default design and its saved designs. */
export function designRoutes({ designs, savedDesigns, keptPictures }: PanelDeps): Route[] {
  const logosOf = ({ request, accountId }: SignedInContext): LogoReader => {
    const normalize = (bytes: Uint8Array) =>
      designs.normalizeLogo(accountId, bytes, { signal: request.signal });
    return {
      normalize,
      draft: async (digest) => {
        const kept = await keptPictures.find(accountId, digest);
        if (kept === null) throw new InvalidInput((t) => t.designs.logoTooOld);
        return normalize(kept);
      },
    };
  };
  const checkOf = ({ request, accountId }: SignedInContext, design: Design) =>
    designs.check(accountId, design, { signal: request.signal });
  const previewOf = async (context: SignedInContext, design: Design, size: 'large' | 'medium') => {
    const { request, accountId } = context;
    const work = { signal: request.signal };
    const { readability, picture } = await designs.preview(accountId, design, size, work);
    return { readability, url: screenImageUrl(picture) };
  };
  /** Returns a saved design with its readability; with an empty name the default one. */
  const findSaved = async (context: SignedInContext, name: string): Promise<SavedState> => {
    const { accountId, request } = context;
    const work = { signal: request.signal };
    const { design, readability } =
      name === ''
        ? await designs.status(accountId, work)
        : await designs.storedStatus(
            accountId,
            (await savedDesigns.find(accountId, name)).designId,
            work,
          );
    return { design, isReadable: readability.isReadable };
  };
  /** Returns the tiles of the account's designs, the default one first. */
  const tilesOf = async ({ accountId, request }: SignedInContext): Promise<DesignTile[]> => {
    const work = { signal: request.signal };
    const { id, readability } = await designs.status(accountId, work);
    const saved = await savedDesigns.list(accountId);
    const tiles = saved.map(async (one, index) => {
      const isChecked = index < maxCheckedDesigns;
      const status = isChecked ? await designs.storedStatus(accountId, one.designId, work) : null;
      return { ...one, readability: status?.readability ?? null };
    });
    return [{ name: '', designId: id, readability }, ...(await Promise.all(tiles))];
  };
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
  const shownLogo = async (
    { accountId, request }: SignedInContext,
    { design: { logo }, draftLogo }: DesignDraft,
  ) => {
    if (logo === null) return null;
    const picture = await designs.logoPicture(accountId, logo, { signal: request.signal });
    const fileName = draftLogo?.fileName ?? null;
    return { logo, url: screenImageUrl(picture), fileName };
  };
  const show = async (context: SignedInContext, draft: ShownDraft) => {
    const tiles = await tilesOf(context);
    const previews = await previewsOf(context, draft.design);
    const { design, draftLogo, saved } = draft;
    const difference = differenceOf(saved.design, design);
    const { accountId } = context;
    const form = designForm(logosOf(context), await shownLogo(context, draft));
    const draftLogoDigest = draftLogo && (await keptPictures.keep(accountId, draftLogo.logo.png));
    const state = { ...draft, ...previews, draftLogoDigest, form, tiles, difference };
    return page(context, context.texts.designs.design, <DesignPage state={state} />);
  };
  const showSaved = async (context: SignedInContext) => {
    const name = context.url.searchParams.get('name') ?? '';
    const saved = await findSaved(context, name);
    const draft = { design: saved.design, name, draftLogo: null, problems: {} };
    return show(context, { ...draft, base: name, saved });
  };
  const nameIn = async ({ accountId, url, rejected }: SignedInContext) => {
    const name = rejected?.typed.text('saved') ?? url.searchParams.get('saved') ?? '';
    return (await savedDesigns.find(accountId, name)).name;
  };
  const showRename = async (context: SignedInContext) =>
    page(
      context,
      context.texts.designs.renameDesign,
      <RenameDialog name={await nameIn(context)} />,
    );

  /** Saves a design under a name, or as the default. The page says itself that it is unreadable. */
  const save = async (context: SignedInContext, design: Design, name: string) => {
    if (name === '') await designs.save(context.acting, design);
    else await savedDesigns.save(context.acting, name, design);
    const isReadable = await checkOf(context, design).then(
      (readability) => readability.isReadable,
      () => true,
    );
    const message = { kind: name === '' ? 'designSaved' : 'designNamed' } as const;
    return redirectTo(context, savedDesignPath(name), isReadable ? message : undefined);
  };

  return [
    viewer.get('/account/design', showSaved),
    editor.get('/account/design/new', async (context) => {
      const saved = { design: plainDesign, isReadable: null };
      const draft = { design: plainDesign, name: '', draftLogo: null, problems: {} };
      return show(context, { ...draft, base: null, saved });
    }),
    viewer.get(designPicturePath(':id'), async ({ accountId, params, request }) => {
      const work = { signal: request.signal };
      const saved = await savedDesigns.list(accountId);
      const ids = [await designs.findId(accountId), ...saved.map(({ designId }) => designId)];
      const id = ids.find((one) => String(one) === params['id']);
      if (id === undefined) throw pageNotFound();
      return screenImageResponse(await designs.storedPicture(accountId, id, work));
    }),
    viewer.get('/account/design/presets/:name', async ({ request, accountId, params }) => {
      const preset = designPresets.find(({ name }) => name === params['name']);
      if (preset === undefined) throw pageNotFound();
      return screenImageResponse(
        await designs.presetPicture(accountId, preset, { signal: request.signal }),
      );
    }),
    editor.post('/account/design', async (context, typed) => {
      const base = typed.text('new') === 'yes' ? null : typed.text('base');
      const saved =
        base === null ? { design: plainDesign, isReadable: null } : await findSaved(context, base);
      const read = await readDesign(typed, saved.design, logosOf(context));
      const draft = { ...read, base, saved };
      const { design, problems } = draft;
      const reject = (rejection: InvalidForm) =>
        show({ ...context, rejected: rejectedForm(context, typed, rejection) }, draft);
      const action = typed.text('do');
      if (action === 'advice') {
        const { advice } = await checkOf(context, design);
        const advised = { ...design, ...advice?.changes };
        return show(context, { ...draft, design: advised, problems: {} });
      }
      if (action === 'undo')
        return show(context, { ...draft, design: saved.design, draftLogo: null, problems: {} });
      if (action === 'remove logo')
        return show(context, { ...draft, design: { ...design, logo: null }, draftLogo: null });
      const preset = designPresets.find(({ name }) => action === `preset ${name}`);
      if (preset !== undefined)
        return show(context, { ...draft, design: { ...design, ...preset.changes }, problems: {} });
      if (Object.keys(problems).length > 0) return reject(new InvalidForm(problems));
      const names: Readonly<Record<string, string>> = {
        ...{ save: draft.name, default: '' },
        ...(base !== null && { same: base }),
      };
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
    editor.get('/account/design/saved/rename', showRename),
    editor.submit(
      '/account/design/saved/rename',
      { form: renameForm, page: showRename },
      async (context, { name, saved }) => {
        await savedDesigns.rename(context.acting, saved, name);
        return redirectTo(context, savedDesignPath(name.trim()), { kind: 'designRenamed' });
      },
    ),
    editor.get('/account/design/saved/delete', async (context) =>
      page(
        context,
        context.texts.designs.deleteDesign,
        <DeleteDialog name={await nameIn(context)} />,
      ),
    ),
    editor.post('/account/design/saved/delete', async (context, typed) => {
      await savedDesigns.remove(context.acting, typed.text('saved'));
      return redirectTo(context, '/account/design', { kind: 'designDeleted' });
    }),
  ];
}

/** Returns a design without its logo, or one without a logo in black on white; null for black on white. */
function simplerDesign(design: Design): { without: Costs; design: Design } | null {
  // The size of a logo is that of its side.
  const percent = Math.round(design.logoSizePercent ** 2 / 100);
  if (design.logo !== null)
    return {
      without: { kind: 'logo', percent },
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
        without: { kind: 'colours' },
        design: { ...design, foreground, background, finderColor },
      };
}

interface ShownDraft extends DesignDraft {
  /**
   * Name of the saved design that the draft began with.
   * Empty for the default design, null for a new one.
   */
  readonly base: string | null;
  readonly saved: SavedState;
}

/** What the design page shows. */
interface DesignPageState extends PreviewState, ShownDraft {
  readonly form: ReturnType<typeof designForm>;
  readonly tiles: readonly DesignTile[];
}

function DesignPage({ state }: { state: DesignPageState }) {
  const { base, difference, preview, saved } = state;
  const mayEdit = useMayEdit();
  const t = useTexts();
  const { readability } = preview;
  return (
    <>
      <PageHead
        title={base === null ? t.designs.newDesign : <bdi>{base || t.designs.defaultDesign}</bdi>}
        beside={
          base === '' && <span class="pill plain compact-hide">{t.designs.newCodesUseIt}</span>
        }
      >
        {base && mayEdit && <SavedDesignActions name={base} />}
      </PageHead>
      {/* The first button of a form is the one that Enter presses: not that of an advice. */}
      {mayEdit && <button type="submit" form="design" name="do" value="preview" hidden />}
      {/* One verdict at a time: it goes as soon as the draft can be read. */}
      <div id="saved-state">
        {saved.isReadable === false && !readability.isReadable && (
          <Notice
            kind="warn"
            title={t.designs.savedUnreadable}
            action={readability.advice && <AdviceButton advice={readability.advice} />}
          >
            {t.designs.noCodesUntilFixed}
          </Notice>
        )}
      </div>
      <StudioStyle />
      <PreviewScript />
      <div class="studio">
        <div class="view">
          <div id="preview">
            <Preview state={state} />
          </div>
          <p class="small soft compact-hide">{t.designs.codesKeepTheirs}</p>
        </div>
        {mayEdit && <DesignFields state={state} />}
      </div>
      {mayEdit && (
        <div class="savebar">
          <span class="small soft" id="unsaved">
            {difference !== null &&
              (readability.isReadable
                ? t.designs.unsavedChanges({ changes: countChanges(difference) })
                : t.designs.savedWithoutUse)}
          </span>
          <span class="grow" />
          <button
            type="button"
            class={base === null ? 'button primary' : 'button'}
            popovertarget="save-as"
          >
            {t.designs.saveAsMenu}
          </button>
          {base !== null && (
            <Submit form="design" name="do" value={base === '' ? 'default' : 'same'}>
              {base === '' ? (
                t.designs.saveAsDefault
              ) : (
                <span>{t.designs.saveNamed({ name: <bdi>{base}</bdi> })}</span>
              )}
            </Submit>
          )}
        </div>
      )}
    </>
  );
}

function countChanges({ settings, isOtherLogo }: DesignDifference): number {
  return settings.length + Number(isOtherLogo);
}

/** Renders what can be done with a saved design. */
function SavedDesignActions({ name }: { name: string }) {
  const t = useTexts();
  const saved = new URLSearchParams({ saved: name });
  return (
    <>
      <PostButton
        to="/account/design/saved/default"
        values={{ saved: name }}
        class="button compact-hide"
      >
        {t.designs.makeDefault}
      </PostButton>
      <Menu id="design-menu" label={t.designs.actionsFor({ name })}>
        <PostButton
          to="/account/design/saved/default"
          values={{ saved: name }}
          class="phone-only"
          icon="tick"
        >
          {t.designs.makeDefault}
        </PostButton>
        <Link to={`/account/design/saved/rename?${saved}`} data-dialog icon="edit">
          {t.designs.renameMenu}
        </Link>
        <button type="button" popovertarget="save-as">
          <Icon name="copy" />
          {t.designs.duplicateMenu}
        </button>
        <Link to={`/account/design/saved/delete?${saved}`} data-dialog class="danger" icon="remove">
          {t.designs.deleteMenu}
        </Link>
      </Menu>
    </>
  );
}

function DesignFields({ state }: { state: DesignPageState }) {
  const { form, base, tiles } = state;
  const t = useTexts();
  const hasWrongName = useRejected('/account/design')?.problems['design_name'] !== undefined;
  return (
    <FormView
      form={form}
      to="/account/design"
      values={valuesOfDesign(state)}
      id="design"
      class="stack"
      enctype="multipart/form-data"
      // After going back, browsers would restore only some of the fields.
      autocomplete="off"
    >
      {(fields) => (
        <>
          {/* Rejected fields keep the values of this saved design. */}
          <input type="hidden" name="base" value={base ?? ''} />
          {base === null && <input type="hidden" name="new" value="yes" />}
          <Submit class="button no-script" name="do" value="preview">
            {t.designs.check}
          </Submit>
          {(tiles.length > 1 || base === null) && (
            <ListCard
              title={t.designs.yours}
              beside={
                <ButtonLink to="/account/design/new" class="button small" icon="plus">
                  {t.designs.newDesign}
                </ButtonLink>
              }
            >
              <DesignTiles tiles={tiles} open={base} />
            </ListCard>
          )}
          <section class="card pad" aria-label={t.designs.startFrom}>
            <details class="folded-card" open={!base}>
              <summary>
                <h2>{t.designs.startFrom}</h2>
              </summary>
              <Presets design={state.design} />
            </details>
          </section>
          <Card isRegion title={t.designs.logo} class="card pad stack logo">
            {fields.logo}
            <div class="two fold if-logo">
              {fields.logo_size}
              {fields.logo_patch}
            </div>
          </Card>
          <Card isRegion title={t.designs.colours}>
            <div class="colours">
              {fields.foreground}
              {fields.background}
              {fields.finder_color}
            </div>
          </Card>
          <Card isRegion title={t.designs.shapes} class="card pad stack">
            <div class="two fold">
              {fields.module_shape}
              {fields.finder_shape}
            </div>
            {fields.quiet_zone}
          </Card>
          <Card isRegion title={t.designs.caption} class="card pad stack">
            {fields.caption}
            {fields.caption_place}
          </Card>
          {/* A name that was rejected is in view. */}
          <div
            id="save-as"
            {...(hasWrongName ? { class: 'card pad stack' } : { class: 'pop', popover: 'auto' })}
          >
            {fields.design_name}
            <Submit name="do" value="save">
              {t.designs.saveDesign}
            </Submit>
          </div>
        </>
      )}
    </FormView>
  );
}

/** Renders the presets as pictures: buttons that change colours and shapes. */
function Presets({ design }: { design: Design }) {
  const t = useTexts();
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
            <span>{t.designs.presetName({ preset: name })}</span>
            <span class="checked" aria-hidden="true">
              <Icon name="tick" />
            </span>
          </Submit>
        );
      })}
    </div>
  );
}
