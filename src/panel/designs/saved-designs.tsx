/** @jsxImportSource preact */
import type { SavedDesign } from '../../core/designs/ports.ts';
import { Card } from '../ui/cards.tsx';
import { Time } from '../ui/components.tsx';
import { nameField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { Link, PostButton, Submit, useRejected, useRequest } from '../ui/page-context.tsx';

/** The form that renames a saved design. */
export const renameForm = (label: string) => ({
  name: nameField({ label, isLabelHidden: true, parse: (text) => text, required: true }),
});

/** Returns the path of the design page that shows a saved design. */
export function savedDesignPath(name: string): string {
  return `/account/design?${new URLSearchParams({ name })}`;
}

/** The saved designs of an account. */
export function SavedDesignList({ saved }: { saved: readonly SavedDesign[] }) {
  return (
    <Card title="Saved designs">
      {saved.length === 0 ? (
        <p class="hint">
          None yet. Save a design under a name, and you can choose it for each new code or batch of
          codes.
        </p>
      ) : (
        <ul class="list">
          {saved.map((one) => (
            <SavedDesignRow key={one.name} saved={one} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function SavedDesignRow({ saved: { name, designId, savedAtMs } }: { saved: SavedDesign }) {
  const saved = { saved: name };
  const rename = `/account/design/saved/rename${useRequest().url.search}`;
  return (
    <li>
      <div>
        <Link to={savedDesignPath(name)}>
          <bdi class="name">{name}</bdi>
        </Link>
        <span class="hint">
          saved on <Time ms={savedAtMs} />
        </span>
      </div>
      <PostButton
        to="/account/design/saved/default"
        values={saved}
        class="button"
        aria-label={`Make default: ${name}`}
      >
        Make default
      </PostButton>
      <details class="rename" open={useRejected(rename, saved) !== null}>
        <summary aria-label={`Rename “${name}”`}>Rename</summary>
        <FormView
          form={renameForm(`New name of “${name}”`)}
          to={rename}
          hiddenValues={saved}
          values={{ name }}
          idSuffix={`-of-${designId}`}
          class="row"
        >
          <Submit>Save</Submit>
        </FormView>
      </details>
      <details class="confirm">
        <summary>Delete</summary>
        <p>Codes that were created with it keep it.</p>
        <PostButton to="/account/design/saved/delete" values={saved} class="button danger">
          Delete the saved design
        </PostButton>
      </details>
    </li>
  );
}
