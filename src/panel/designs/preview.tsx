/** @jsxImportSource preact */
import {
  type Advice,
  type Design,
  type ReadabilityResult,
  toExternalNames,
} from '../../core/designs/design.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { Image } from '../ui/components.tsx';
import { Icon } from '../ui/icons.tsx';
import { Submit, useMayEdit, useTexts } from '../ui/page-context.tsx';
import {
  adviceSentence,
  changeSentence,
  readabilityCause,
  readabilityText,
} from '../ui/sentences/readability.ts';
import type { DesignDifference, DesignDraft } from './design-form.tsx';

/** A preview of a design. */
interface ShownPreview {
  readonly readability: ReadabilityResult;
  /** Its picture as a data URL. */
  readonly url: string;
}

/** The design as it is saved. */
export interface SavedState {
  readonly design: Design;
  /** Null for a new design. */
  readonly isReadable: boolean | null;
}

/** A draft with its preview. */
export interface PreviewState extends DesignDraft {
  readonly preview: ShownPreview;
  /** Digest of the logo that is not saved yet. */
  readonly draftLogoDigest: string | null;
  /** How it differs from the saved design; null if it does not. */
  readonly difference: DesignDifference | null;
  readonly saved: SavedState;
  /** The preview with the advised changes, if there are any. */
  readonly advised: ShownPreview | null;
  /** The score without what costs most; null when that is no better. */
  readonly simpler: { readonly without: Costs; readonly score: number } | null;
}

/** What costs a design most: its logo, which covers a part of the pattern, or its colours. */
export type Costs =
  | { readonly kind: 'logo'; readonly percent: number }
  | { readonly kind: 'colours' };

const bands = ['weak', 'good', 'excellent'] as const;
/** From this score on, a readable design is excellent. */
const excellentScore = 80;

/** Returns the band of a score. The verdict decides what is too weak. */
export function bandOf({ isReadable, score }: ReadabilityResult): (typeof bands)[number] {
  if (!isReadable) return 'weak';
  return score >= excellentScore ? 'excellent' : 'good';
}

/** Renders the preview of a design with its readability. The script replaces it when the form changes. */
export function Preview({ state }: { state: PreviewState }) {
  const { design, preview, advised, simpler, draftLogo, draftLogoDigest, difference, saved } =
    state;
  const { readability } = preview;
  const { isReadable, score, reasons, advice } = readability;
  const band = bandOf(readability);
  const t = useTexts();
  return (
    <section class="card stage" aria-label={t.designs.preview}>
      {draftLogo !== null && draftLogoDigest !== null && (
        <>
          <input type="hidden" form="design" name="draft_logo" value={draftLogoDigest} />
          <input type="hidden" form="design" name="draft_name" value={draftLogo.fileName} />
        </>
      )}
      <div class="plate">
        <Image path={preview.url} alt={t.designs.codeInDesign} widthPx={330} />
      </div>
      <div class={`verdict ${isReadable ? 'good' : 'bad'}`}>
        <div class="say">
          <Icon name={isReadable ? 'good' : 'warn'} />
          <span>
            {!isReadable
              ? t.designs.unreadable
              : saved.isReadable === false
                ? t.designs.readableNow
                : t.designs.readable}
          </span>
        </div>
        {isReadable && saved.isReadable === false && (
          <p class="small soft">{t.designs.notSavedYet}</p>
        )}
        <div class="row between small">
          <span>{t.designs.readability({ score, b: (text) => <b>{text}</b> })}</span>
          <span class="soft">{t.designs.band({ band })}</span>
        </div>
        <svg class="gauge" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="value" width={score} height="10" />
          <path class="band" d={`M50 0V10M${excellentScore} 0V10`} />
        </svg>
        <div class="bands compact-hide" aria-hidden="true">
          {bands.map((one) => (
            <span key={one} class={one === band ? 'on' : undefined}>
              {t.designs.band({ band: one })}
            </span>
          ))}
        </div>
      </div>
      {difference !== null && <Undo difference={difference} saved={saved.design} draft={design} />}
      {advice !== null && advised !== null ? (
        <AdviceBox design={design} now={preview} advised={advised} advice={advice} />
      ) : (
        (reasons.length > 0 || simpler !== null) && (
          <div class={`small soft why ${isReadable ? 'compact-hide' : ''}`}>
            {isReadable ? (
              <p>
                {readabilityText({ reasons, advice: null }, t)}
                {simpler !== null && ` ${simplerText(t, simpler)}`}
              </p>
            ) : (
              <Reasons design={design} reasons={reasons} />
            )}
          </div>
        )
      )}
    </section>
  );
}

function simplerText(t: Texts, { without, score }: NonNullable<PreviewState['simpler']>): string {
  return without.kind === 'logo'
    ? t.designs.betterWithoutLogo({ percent: without.percent, score })
    : t.designs.betterInBlack({ score });
}

/** Renders why phones cannot read a design: the first reason in short, and all with their numbers. */
function Reasons({
  design,
  reasons,
}: Pick<DesignDraft, 'design'> & Pick<ReadabilityResult, 'reasons'>) {
  const t = useTexts();
  return (
    <>
      {reasons.slice(0, 1).map((reason) => readabilityCause(reason, design, t))}{' '}
      <details>
        <summary>{t.designs.details}</summary>
        {readabilityText({ reasons, advice: null }, t)}
      </details>
    </>
  );
}

interface UndoProps {
  readonly difference: DesignDifference;
  readonly saved: Design;
  readonly draft: Design;
}

/** Renders the changes since the design was saved, with the button that undoes them. */
function Undo({ difference: { settings, isOtherLogo, undo }, saved, draft }: UndoProps) {
  const [only] = settings;
  const isOne = settings.length + Number(isOtherLogo) === 1;
  const t = useTexts();
  const logoChange = draft.logo === null ? 'removed' : saved.logo === null ? 'new' : 'another';
  return (
    <p class="small soft undo">
      {isOne &&
        (only === undefined
          ? t.designs.logoChanged({ how: logoChange })
          : changeSentence(only, saved, draft, t))}{' '}
      <Submit
        class="link"
        form="design"
        name="do"
        value="undo"
        data-values={JSON.stringify(undo)}
        formNoValidate
      >
        {isOne ? t.designs.undo : t.designs.undoAll}
      </Submit>
    </p>
  );
}

interface AdviceBoxProps extends Pick<DesignDraft, 'design'> {
  readonly now: ShownPreview;
  readonly advised: ShownPreview;
  readonly advice: Advice;
}

/** Renders advice as two pictures, with one button that follows it. */
function AdviceBox({ design, now, advised, advice }: AdviceBoxProps) {
  const name = colorName(advice);
  const t = useTexts();
  return (
    <div class="advice">
      <div class="compare">
        <Rendering
          preview={now}
          text={t.designs.scoreNow(now.readability)}
          color={name && design[name]}
        />
        <Icon name="next" />
        <Rendering
          preview={advised}
          text={t.designs.scoreThen(advised.readability)}
          color={name && (advice.changes[name] ?? null)}
        />
      </div>
      <AdviceButton advice={advice} />
      <div class="small">
        <Reasons design={design} reasons={now.readability.reasons} />
        <span class="compact-hide">{name === null && adviceSentence(advice, t)}</span>
      </div>
    </div>
  );
}

/** Renders the button that follows advice. */
export function AdviceButton({ advice }: { advice: Advice }) {
  const t = useTexts();
  if (!useMayEdit()) return null;
  return (
    <Submit
      class="button"
      form="design"
      name="do"
      value="advice"
      data-values={JSON.stringify(toExternalNames(advice.changes))}
      // The suggested changes may replace an invalid field.
      formNoValidate
    >
      {colorName(advice) === null ? t.designs.useChanges : t.designs.useColour}
    </Submit>
  );
}

/** Returns which colour the advice is about, or null if it is about anything else too. */
function colorName({ changes }: Advice) {
  const [name, ...others] = Object.keys(changes);
  const colors = ['foreground', 'background', 'finderColor'] as const;
  return (others.length === 0 && colors.find((one) => one === name)) || null;
}

interface RenderingProps {
  readonly preview: ShownPreview;
  /** Says its score. */
  readonly text: string;
  readonly color?: string | null;
}

function Rendering({ preview, text, color = null }: RenderingProps) {
  return (
    <figure>
      <Image path={preview.url} alt="" widthPx={56} />
      <figcaption>
        {color !== null && (
          <>
            <code>{color}</code>
            <br />
          </>
        )}
        {text}
      </figcaption>
    </figure>
  );
}
