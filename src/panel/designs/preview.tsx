/** @jsxImportSource preact */
import {
  type Advice,
  type Design,
  type ReadabilityResult,
  toExternalNames,
} from '../../core/designs/design.ts';
import { Image } from '../ui/components.tsx';
import { Icon } from '../ui/icons.tsx';
import { Submit, useMayEdit } from '../ui/page-context.tsx';
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
  /** The score without what costs most, such as the logo; null when that is no better. */
  readonly simpler: { readonly without: string; readonly score: number } | null;
}

const bands = ['too weak', 'good', 'excellent'] as const;
/** From this score on, a readable design is excellent. */
const excellentScore = 80;

/** Returns the band of a score in words. The verdict decides what is too weak. */
export function bandOf({ isReadable, score }: ReadabilityResult): (typeof bands)[number] {
  if (!isReadable) return 'too weak';
  return score >= excellentScore ? 'excellent' : 'good';
}

/** Renders the preview of a design with its readability. The script replaces it when the form changes. */
export function Preview({ state }: { state: PreviewState }) {
  const { design, preview, advised, simpler, draftLogo, draftLogoDigest, difference, saved } =
    state;
  const { readability } = preview;
  const { isReadable, score, reasons, advice } = readability;
  const band = bandOf(readability);
  return (
    <section class="card stage" aria-label="Preview">
      {draftLogo !== null && draftLogoDigest !== null && (
        <>
          <input type="hidden" form="design" name="draft_logo" value={draftLogoDigest} />
          <input type="hidden" form="design" name="draft_name" value={draftLogo.fileName} />
        </>
      )}
      <div class="plate">
        <Image path={preview.url} alt="A code in this design" widthPx={330} />
      </div>
      <div class={`verdict ${isReadable ? 'good' : 'bad'}`}>
        <div class="say">
          <Icon name={isReadable ? 'good' : 'warn'} />
          <span>
            {!isReadable
              ? 'Phones can’t read it'
              : saved.isReadable === false
                ? 'Readable now'
                : 'Phones can read it'}
          </span>
        </div>
        {isReadable && saved.isReadable === false && <p class="small soft">It isn’t saved yet.</p>}
        <div class="row between small">
          <span>
            Readability <b>{score}</b> of 100
          </span>
          <span class="soft">{band}</span>
        </div>
        <svg class="gauge" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="value" width={score} height="10" />
          <path class="band" d={`M50 0V10M${excellentScore} 0V10`} />
        </svg>
        <div class="bands compact-hide" aria-hidden="true">
          {bands.map((one) => (
            <span key={one} class={one === band ? 'on' : undefined}>
              {one}
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
                {readabilityText({ reasons, advice: null })}
                {simpler !== null && ` ${simpler.without}, this design has ${simpler.score}.`}
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

/** Renders why phones cannot read a design: the first reason in short, and all with their numbers. */
function Reasons({
  design,
  reasons,
}: Pick<DesignDraft, 'design'> & Pick<ReadabilityResult, 'reasons'>) {
  return (
    <>
      {reasons.slice(0, 1).map((reason) => readabilityCause(reason, design))}{' '}
      <details>
        <summary>Details</summary>
        {readabilityText({ reasons, advice: null })}
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
  const logoSentence =
    draft.logo === null
      ? 'The logo is removed.'
      : saved.logo === null
        ? 'The logo is new.'
        : 'The logo is another one.';
  return (
    <p class="small soft undo">
      {isOne && (only === undefined ? logoSentence : changeSentence(only, saved, draft))}{' '}
      <Submit
        class="link"
        form="design"
        name="do"
        value="undo"
        data-values={JSON.stringify(undo)}
        formNoValidate
      >
        {isOne ? 'Undo' : 'Undo all changes'}
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
  return (
    <div class="advice">
      <div class="compare">
        <Rendering preview={now} when="now" color={name && design[name]} />
        <Icon name="next" />
        <Rendering preview={advised} when="then" color={name && (advice.changes[name] ?? null)} />
      </div>
      <AdviceButton advice={advice} />
      <div class="small">
        <Reasons design={design} reasons={now.readability.reasons} />
        <span class="compact-hide">{name === null && adviceSentence(advice)}</span>
      </div>
    </div>
  );
}

/** Renders the button that follows advice. */
export function AdviceButton({ advice }: { advice: Advice }) {
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
      {colorName(advice) === null ? 'Use these changes' : 'Use this colour'}
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
  readonly when: 'now' | 'then';
  readonly color?: string | null;
}

function Rendering({ preview, when, color = null }: RenderingProps) {
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
        {when}: {preview.readability.score}
      </figcaption>
    </figure>
  );
}
