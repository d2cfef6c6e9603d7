/** @jsxImportSource preact */
import type { DesignPreview } from '../../core/designs/default-design.ts';
import { Image, Notice } from '../ui/components.tsx';
import type { DesignDraft } from './design-form.ts';

export interface PreviewProps extends DesignDraft {
  readonly preview: DesignPreview;
}

/** The preview of a design with its readability. The script replaces it when the form changes. */
export function Preview({ preview, draftLogo, problems }: PreviewProps) {
  const { readability, svg } = preview;
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return (
    // The script shows the problems beside the fields.
    <div class="stack preview" data-problems={JSON.stringify(problems)}>
      {draftLogo !== null && (
        <input
          type="hidden"
          form="design"
          name="draft_logo"
          value={Buffer.from(draftLogo.png).toString('base64')}
        />
      )}
      <figure class="picture">
        <Image path={source} alt="A code with this design" widthPx={288} />
      </figure>
      {/* In narrow windows it is fixed to the bottom, visible while the form is edited. */}
      <a class="verdict" href="#preview">
        <Image path={source} alt="" widthPx={64} />
        <span class="verdict-text">
          <b>{readability.isReadable ? 'Phones can read it' : 'Phones may not read it'}</b>
          <span>Readability {readability.score} of 100</span>
        </span>
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
        <Notice kind="good" title={readability.advice.message}>
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
        </Notice>
      )}
    </div>
  );
}
