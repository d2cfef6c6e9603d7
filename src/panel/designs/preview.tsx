/** @jsxImportSource preact */
import type { DesignPreview } from '../../core/designs/default-design.ts';
import { Image } from '../ui/components.tsx';
import type { DesignDraft } from './design-form.ts';

export interface PreviewProps extends DesignDraft {
  readonly preview: DesignPreview;
}

/** The preview of a design with its readability. The script replaces it when the form changes. */
export function Preview({ preview, draftLogo, problems }: PreviewProps) {
  const { readability, svg } = preview;
  const texts = Object.entries(problems).map(([name, { text }]) => [name, text]);
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return (
    // The script shows the problems beside the fields.
    <div class="stack tight preview" data-problems={JSON.stringify(Object.fromEntries(texts))}>
      {draftLogo !== null && (
        <input
          type="hidden"
          form="design"
          name="draft_logo"
          value={Buffer.from(draftLogo.png).toString('base64')}
        />
      )}
      {/* Always in view: in wide windows with the picture, in narrow ones fixed to the bottom. */}
      <section
        class={`verdict ${readability.isReadable ? 'good' : 'warning'}`}
        aria-label="Readability"
      >
        <a class="qr" href="#preview">
          <Image path={source} alt="Show the picture" widthPx={64} />
        </a>
        <div class="verdict-text">
          <b>{readability.isReadable ? 'Phones can read it' : 'Phones may not read it'}</b>
          <span>Readability {readability.score} of 100</span>
          {!readability.isReadable && (
            <span>{readability.advice?.message ?? readability.reasons.join(' ')}</span>
          )}
        </div>
        {readability.advice !== null && (
          <button
            type="submit"
            class="button"
            form="design"
            name="do"
            value="advice"
            // The suggested changes may replace an invalid field.
            formNoValidate
          >
            Apply suggested changes
          </button>
        )}
      </section>
      <figure class="plate">
        <Image path={source} alt="A code with this design" widthPx={288} />
      </figure>
      {readability.reasons.length > 0 && (
        <ul class="reasons">
          {readability.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {!readability.isReadable && (
        <p class="hint">
          No codes can be created with this design: the panel and the API reject them. Existing
          codes are not affected.
        </p>
      )}
    </div>
  );
}
