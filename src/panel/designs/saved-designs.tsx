/** @jsxImportSource preact */
import type { ReadabilityResult } from '../../core/designs/design.ts';
import { DialogActions, DialogPage, FormDialog } from '../ui/dialog.tsx';
import { hiddenField, nameField } from '../ui/fields.tsx';
import { Icon } from '../ui/icons.tsx';
import { Link, PostButton, useRequest, useTexts } from '../ui/page-context.tsx';

/**
 * Returns the path of the design page that shows a saved design.
 * An empty name is the default one.
 */
export function savedDesignPath(name: string): string {
  return name === '' ? '/account/design' : `/account/design?${new URLSearchParams({ name })}`;
}

/** Returns the path of the picture of a stored design. */
export function designPicturePath(designId: number | string): string {
  return `/account/design/saved/${designId}/picture`;
}

/** A design that is saved, as a tile shows it. */
export interface DesignTile {
  /** Empty for the default design. */
  readonly name: string;
  readonly designId: number;
  /** Null where more are saved than are checked. */
  readonly readability: ReadabilityResult | null;
}

interface TilesProps {
  readonly tiles: readonly DesignTile[];
  /** Name of the one that is open; null for a new design. */
  readonly open: string | null;
}

/** Renders the designs of an account as pictures, which open them. */
export function DesignTiles({ tiles, open }: TilesProps) {
  const { basePath } = useRequest();
  const t = useTexts();
  return (
    <ul class="designs">
      {tiles.map(({ name, designId, readability }) => (
        <li key={name}>
          <Link
            class="picture"
            to={savedDesignPath(name)}
            aria-current={name === open ? 'true' : undefined}
          >
            <img
              src={`${basePath}${designPicturePath(designId)}`}
              alt=""
              width={80}
              height={80}
              loading="lazy"
            />
            <b dir="auto">{name || t.designs.defaultDesign}</b>
            {readability !== null && (
              <span class={readability.isReadable ? 'state' : 'state bad'}>
                <Icon name={readability.isReadable ? 'good' : 'warn'} />
                {readability.isReadable ? t.designs.score(readability) : t.designs.notReadable}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The form that renames a saved design. */
export const renameForm = {
  saved: hiddenField((text) => text),
  name: nameField({ label: (t) => t.designs.nameOfDesign, parse: (text) => text, required: true }),
};

/** Asks for another name of a saved design. */
export function RenameDialog({ name }: { name: string }) {
  const t = useTexts();
  return (
    <FormDialog
      title={t.designs.renameDesign}
      form={renameForm}
      to="/account/design/saved/rename"
      values={{ saved: name, name }}
      back={savedDesignPath(name)}
      button={t.designs.rename}
    />
  );
}

/** Asks before a saved design is deleted. */
export function DeleteDialog({ name }: { name: string }) {
  const t = useTexts();
  return (
    <DialogPage title={t.designs.deleteNamed({ name })}>
      <p>{t.designs.codesKeepDeleted}</p>
      <DialogActions back={savedDesignPath(name)}>
        <PostButton
          to="/account/design/saved/delete"
          values={{ saved: name }}
          class="button destroy"
        >
          {t.designs.deleteSaved}
        </PostButton>
      </DialogActions>
    </DialogPage>
  );
}
