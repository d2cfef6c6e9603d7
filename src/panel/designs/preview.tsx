/** @jsxImportSource preact */
import type { DesignPreview } from '../../core/designs/default-design.ts';
import type { Logo, ReadabilityResult } from '../../core/designs/design.ts';
import { Image } from '../ui/image.tsx';
import { Notice } from '../ui/parts.tsx';
import type { DesignProblems } from './design-form.ts';

export interface PreviewProps {
  /** The server's own picture and verdict. */
  readonly rendered: DesignPreview;
  /** A logo that is not kept yet travels in the form. */
  readonly draftLogo: Logo | null;
  /** Whether this is the design that is kept. */
  readonly kept: boolean;
  /** What was wrong with which field; the script tells it beside the field. */
  readonly problems: DesignProblems;
  /** The advice as values of the form's fields. */
  readonly advised: Readonly<Record<string, string>>;
}

/** What the server makes of the design: the picture as it is scanned, and whether it can be. */
export function Preview({ rendered, draftLogo, kept, problems, advised }: PreviewProps) {
  const { readability, svg } = rendered;
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return (
    <div class="preview" data-problems={JSON.stringify(problems)}>
      {draftLogo !== null && (
        <input
          type="hidden"
          form="design"
          name="draft_logo"
          value={Buffer.from(draftLogo.png).toString('base64')}
        />
      )}
      {/* With a script a picture of other colours is never shown. */}
      {Object.keys(problems).some((name) => name !== 'logo') && (
        <p class="notice warning stale">
          This is not up to date: in the place of a colour that is none it shows the saved one.
        </p>
      )}
      <div class="views">
        <figure class="view large">
          <Image path={source} alt="A code in this design" widthPx={288} />
          <figcaption>On a poster</figcaption>
        </figure>
        <figure class="view small">
          <Image path={source} alt="" widthPx={88} />
          <figcaption>On a label</figcaption>
        </figure>
        <figure class="view dark">
          <Image path={source} alt="" widthPx={120} />
          <figcaption>On a dark page</figcaption>
        </figure>
      </div>
      <Score verdict={readability} />
      <Bar source={source} verdict={readability} problems={problems} />
      {!readability.isReadable && (
        <Notice
          kind="warning"
          title={kept ? 'New codes are refused' : 'Codes in this design would be refused'}
        >
          {kept
            ? 'A phone may not read this design, so no code is created in it, here or through the API. Codes that exist are not affected.'
            : 'You can save it, but no code would be created in it, here or through the API, because a phone may not read it.'}
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
            // It takes the place of what is not right in the form.
            formNoValidate
            data-advised={JSON.stringify(advised)}
          >
            Take the advice
          </button>
        </div>
      )}
    </div>
  );
}

/** What stays in sight of the preview while the form is worked on, where there is no room beside it. */
function Bar(props: { source: string; verdict: ReadabilityResult; problems: DesignProblems }) {
  const { source, verdict, problems } = props;
  const whole = Object.keys(problems).length === 0;
  return (
    <a class={whole ? 'mini' : 'mini behind'} href={whole ? '#preview' : '#design'}>
      <Image path={source} alt="" widthPx={64} />
      <span class="told">
        <b>{whole ? verdictText(verdict) : 'Not up to date'}</b>
        <span>
          {whole ? `Readability ${verdict.score} of 100` : 'Something in the form is not right.'}
        </span>
      </span>
    </a>
  );
}

const radius = 26;
const round = 2 * Math.PI * radius;

function Score({ verdict }: { verdict: ReadabilityResult }) {
  const { isReadable, score } = verdict;
  return (
    <div class={isReadable ? 'score good' : 'score bad'}>
      <svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">
        <circle class="track" cx="32" cy="32" r={radius} />
        <circle
          class="arc"
          cx="32"
          cy="32"
          r={radius}
          stroke-dasharray={`${((round * score) / 100).toFixed(1)} ${round.toFixed(1)}`}
          transform="rotate(-90 32 32)"
        />
        <text x="32" y="38">
          {score}
        </text>
      </svg>
      <p class="told">
        <b>{verdictText(verdict)}</b>
        <span>Readability {score} of 100</span>
      </p>
    </div>
  );
}

function verdictText({ isReadable }: ReadabilityResult): string {
  return isReadable ? 'Phones can read it' : 'Phones may not read it';
}
