/** @jsxImportSource preact */
import type { DesignPreview } from '../../core/designs/default-design.ts';
import { type Advice, toExternalNames } from '../../core/designs/design.ts';
import { Image } from '../ui/components.tsx';
import { Icon } from '../ui/icons.tsx';
import type { DesignDraft } from './design-form.ts';

export interface PreviewProps extends DesignDraft {
  readonly preview: DesignPreview;
  /** The preview with the advised changes, if there are any. */
  readonly advised: DesignPreview | null;
}

const bands = ['too weak', 'good', 'excellent'] as const;
/** From this score on, a readable design is excellent. */
const excellentScore = 80;

/** The preview of a design with its readability. The script replaces it when the form changes. */
export function Preview({ preview, advised, draftLogo, problems }: PreviewProps) {
  const { readability } = preview;
  const { isReadable, score, reasons, advice } = readability;
  const texts = Object.entries(problems).map(([name, { text }]) => [name, text]);
  const excellent = score >= excellentScore ? 'excellent' : 'good';
  const band: (typeof bands)[number] = isReadable ? excellent : 'too weak';
  return (
    <section
      class="card stage"
      aria-label="Preview"
      // The script shows the problems beside the fields.
      data-problems={JSON.stringify(Object.fromEntries(texts))}
    >
      {draftLogo !== null && (
        <input
          type="hidden"
          form="design"
          name="draft_logo"
          value={Buffer.from(draftLogo.png).toString('base64')}
        />
      )}
      <div class="plate">
        <Image path={sourceOf(preview)} alt="A code in this design" widthPx={330} />
      </div>
      <div class={`verdict ${isReadable ? 'good' : 'bad'}`}>
        <div class="say">
          <Icon name={isReadable ? 'good' : 'warn'} />
          <span>{isReadable ? 'Phones can read it' : 'Phones can’t read it'}</span>
        </div>
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
      {advice !== null && advised !== null ? (
        <AdviceBox now={preview} advised={advised} advice={advice} />
      ) : (
        reasons.length > 0 && (
          <p class={`small soft why ${isReadable ? 'compact-hide' : ''}`}>{reasons.join(' ')}</p>
        )
      )}
    </section>
  );
}

interface AdviceBoxProps {
  readonly now: DesignPreview;
  readonly advised: DesignPreview;
  readonly advice: Advice;
}

/** Advice as two pictures, with one button that follows it. */
function AdviceBox({ now, advised, advice }: AdviceBoxProps) {
  return (
    <div class="advice">
      <div class="compare">
        <Rendering preview={now} when="now" />
        <Icon name="next" />
        <Rendering preview={advised} when="then" color={colorOf(advice)} />
      </div>
      <p class="small">
        {now.readability.reasons[0]}{' '}
        <span class="compact-hide">{colorOf(advice) === null && advice.message}</span>
      </p>
      <AdviceButton advice={advice} />
    </div>
  );
}

/** The button that follows advice. */
export function AdviceButton({ advice }: { advice: Advice }) {
  return (
    <button
      type="submit"
      class="button"
      form="design"
      name="do"
      value="advice"
      data-values={JSON.stringify(toExternalNames(advice.changes))}
      // The suggested changes may replace an invalid field.
      formNoValidate
    >
      {colorOf(advice) === null ? 'Use these changes' : 'Use this colour'}
    </button>
  );
}

/** Returns the advised colour, or null if the advice is about anything else too. */
function colorOf({ changes }: Advice): string | null {
  const { foreground, background, finderColor } = changes;
  const color = foreground ?? background ?? finderColor ?? null;
  return Object.keys(changes).length === 1 ? color : null;
}

interface RenderingProps {
  readonly preview: DesignPreview;
  readonly when: 'now' | 'then';
  readonly color?: string | null;
}

function Rendering({ preview, when, color = null }: RenderingProps) {
  return (
    <figure>
      <Image path={sourceOf(preview)} alt="" widthPx={56} />
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

function sourceOf({ svg }: DesignPreview): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
