/** @jsxImportSource preact */
import type { DesignPreview } from '../../core/designs/default-design.ts';
import type { ReadabilityResult } from '../../core/designs/design.ts';
import { Image } from '../ui/frame.tsx';
import { Notice } from '../ui/parts.tsx';
import type { DesignDraft } from './design-form.ts';

export interface PreviewProps extends DesignDraft {
  readonly preview: DesignPreview;
}

const views = [
  { kind: 'large', widthPx: 288, alt: 'A code with this design', caption: 'On a poster' },
  { kind: 'small', widthPx: 88, alt: '', caption: 'On a label' },
  { kind: 'dark', widthPx: 120, alt: '', caption: 'On a dark page' },
] as const;

/** The preview of a design with its readability. The script replaces it whenever the form changes. */
export function Preview({ preview, draftLogo, problems }: PreviewProps) {
  const { readability, svg } = preview;
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return (
    // The script shows the problems beside the fields.
    <div class="preview" data-problems={JSON.stringify(problems)}>
      {draftLogo !== null && (
        <input
          type="hidden"
          form="design"
          name="draft_logo"
          value={Buffer.from(draftLogo.png).toString('base64')}
        />
      )}
      <div class="views">
        {views.map(({ kind, widthPx, alt, caption }) => (
          <figure key={kind} class={`view ${kind}`}>
            <Image path={source} alt={alt} widthPx={widthPx} />
            <figcaption>{caption}</figcaption>
          </figure>
        ))}
      </div>
      <Score readability={readability} />
      {/* The script keeps it in view on narrow windows. */}
      <a class="mini" href="#preview">
        <Image path={source} alt="" widthPx={64} />
        <Summary readability={readability} />
      </a>
      {!readability.isReadable && (
        <Notice kind="warning" title="No codes can be created with this design">
          Phones may not be able to read it, so the panel and the API reject new codes. Existing
          codes are not affected.
        </Notice>
      )}
      {readability.reasons.length > 0 && (
        <ul class="reasons">
          {readability.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {readability.advice !== null && (
        <div class="advice">
          <p>{readability.advice.message}</p>
          <button
            type="submit"
            form="design"
            name="do"
            value="advice"
            // The suggested changes may replace an invalid field.
            formNoValidate
          >
            Apply suggested changes
          </button>
        </div>
      )}
    </div>
  );
}

const radius = 26;
const circumference = 2 * Math.PI * radius;

function Score({ readability }: { readability: ReadabilityResult }) {
  const { isReadable, score } = readability;
  const filled = (circumference * score) / 100;
  return (
    <div class={isReadable ? 'score good' : 'score bad'}>
      <svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">
        <circle class="track" cx="32" cy="32" r={radius} />
        <circle
          class="arc"
          cx="32"
          cy="32"
          r={radius}
          stroke-dasharray={`${filled.toFixed(1)} ${circumference.toFixed(1)}`}
          transform="rotate(-90 32 32)"
        />
        <text x="32" y="38">
          {score}
        </text>
      </svg>
      <Summary readability={readability} />
    </div>
  );
}

function Summary({ readability }: { readability: ReadabilityResult }) {
  return (
    <span class="told">
      <b>{readability.isReadable ? 'Phones can read it' : 'Phones may not read it'}</b>
      <span>Readability {readability.score} of 100</span>
    </span>
  );
}
