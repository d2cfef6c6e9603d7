import type { SavedDesign } from '../../core/designs/ports.ts';
import { InvalidInput } from '../../core/errors.ts';
import { selectField } from '../ui/fields.tsx';
import type { Field } from '../ui/form.tsx';

/** The design of new codes: the id of a saved one, or undefined for the default. */
export function designField(designs: readonly SavedDesign[]): Field<number | undefined> {
  const field = selectField({
    label: 'Design',
    options: [
      { value: '', text: 'Default design' },
      ...designs.map(({ name }) => ({ value: name, text: name })),
    ],
    parse: (chosen) => {
      if (chosen === '') return undefined;
      const design = designs.find(({ name }) => name === chosen);
      // Deleted since the page was opened.
      if (design === undefined)
        throw new InvalidInput(`There is no saved design named “${chosen}”.`);
      return design.designId;
    },
  });
  // Without saved designs, there is nothing to choose.
  const draw: typeof field.draw = (drawn) =>
    designs.length === 0 && drawn.problem === undefined ? null : field.draw(drawn);
  return { ...field, draw };
}
