/** @jsxImportSource preact */
import { labelFields } from '../../../core/codes/fields.ts';
import type { Folder } from '../../../core/codes/ports.ts';
import { maxNameLength } from '../../../core/labels.ts';
import { formatCount } from '../../../lib/numbers.ts';
import { labelled } from '../../ui/fields.tsx';
import type { Field } from '../../ui/form.tsx';

// More would be slow to choose from.
const maxSuggestions = 200;

/** Returns the name of the folder that a name means: the one that exists, in whatever case it was typed. */
export function existingName(folders: readonly Folder[], typed: string | null): string | null {
  const names = folders.map(({ name }) => name);
  if (typed === null || names.includes(typed)) return typed;
  return names.find((name) => name?.toLowerCase() === typed.toLowerCase()) ?? typed;
}

/**
 * Creates a folder.
 * Those that exist are suggested with their numbers of codes, and another one can be typed.
 */
export function folderField(
  folders: readonly Folder[],
  label = `${labelFields.folder.label} (optional)`,
): Field<string | null> {
  const { hint, parse } = labelFields.folder;
  const named = folders.filter(({ name }) => name !== null).slice(0, maxSuggestions);
  return {
    read: (typed, name) => existingName(folders, parse(typed.text(name))),
    draw: (drawn) =>
      labelled({ label, hint }, drawn, (attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            dir="auto"
            class="input"
            list={`${drawn.id}-list`}
            value={drawn.value}
            placeholder="No folder"
            // Browsers count UTF-16 code units.
            maxLength={2 * maxNameLength}
            autocomplete="off"
          />
          <datalist id={`${drawn.id}-list`}>
            {named.map(({ name, codes }) => (
              <option key={name} value={name ?? ''}>
                {codes !== null && formatCount(codes, 'code')}
              </option>
            ))}
          </datalist>
        </>
      )),
  };
}

/** The value of the choice without a folder. It is no name, and differs from no choice. */
export const noFolder = ' ';

/** Folders and none, of which one is chosen, or nothing at first. Reads undefined without a choice. */
export function folderChoice(folders: readonly Folder[]): Field<string | null | undefined> {
  const options = [...folders.filter(({ name }) => name !== null), { name: null, codes: null }];
  return {
    read: (typed, name) => {
      const [chosen] = typed.all(name);
      return chosen === undefined ? undefined : labelFields.folder.parse(chosen);
    },
    draw: ({ id, name, value, problem }) => (
      <fieldset class="field" aria-describedby={problem && `${id}-problem`}>
        <legend class="hidden">Folder</legend>
        <div class="choices">
          {options.map((folder) => (
            <label key={folder.name} class="choice">
              <input
                class="box"
                type="radio"
                name={name}
                value={folder.name ?? noFolder}
                checked={(folder.name ?? noFolder) === value}
              />
              <span>
                <b>{folder.name === null ? 'No folder' : <bdi>{folder.name}</bdi>}</b>
              </span>
              {folder.codes !== null && (
                <span class="much small soft">{formatCount(folder.codes, 'code')}</span>
              )}
            </label>
          ))}
        </div>
        {problem && (
          <p class="error" id={`${id}-problem`} role="alert">
            {problem.text}
          </p>
        )}
      </fieldset>
    ),
  };
}
