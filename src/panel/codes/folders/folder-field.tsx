/** @jsxImportSource preact */

import { labelFields } from '../../../core/codes/fields.ts';
import type { Folder } from '../../../core/codes/ports.ts';
import { maxNameLength } from '../../../core/labels.ts';
import { labelled } from '../../ui/fields.tsx';
import type { Field } from '../../ui/form.tsx';
import { useSaid, useTexts } from '../../ui/page-context.tsx';
import { labelTexts } from '../label-texts.ts';

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
export function folderField(folders: readonly Folder[], isOptional = true): Field<string | null> {
  const { parse } = labelFields.folder;
  const named = folders.filter(({ name }) => name !== null).slice(0, maxSuggestions);
  return {
    read: (typed, name) => existingName(folders, parse(typed.text(name))),
    draw: (drawn) =>
      labelled({ ...labelTexts('folder'), isOptional }, drawn, (attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            dir="auto"
            class="input"
            list={`${drawn.id}-list`}
            value={drawn.value}
            placeholder={useTexts().folders.none}
            // Browsers count UTF-16 code units.
            maxLength={2 * maxNameLength}
            autocomplete="off"
          />
          <datalist id={`${drawn.id}-list`}>
            {named.map(({ name, codes }) => (
              <option key={name} value={name ?? ''}>
                {codes !== null && useTexts().folders.codes({ codes })}
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
        <legend class="hidden">{useTexts().labels.folder}</legend>
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
                <b>{folder.name === null ? useTexts().folders.none : <bdi>{folder.name}</bdi>}</b>
              </span>
              {folder.codes !== null && (
                <span class="much small soft">
                  {useTexts().folders.codes({ codes: folder.codes })}
                </span>
              )}
            </label>
          ))}
        </div>
        {problem && (
          <p class="error" id={`${id}-problem`} role="alert">
            {useSaid(problem.text)}
          </p>
        )}
      </fieldset>
    ),
  };
}
