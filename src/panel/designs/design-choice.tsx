/** @jsxImportSource preact */
import type { SavedDesigns } from '../../core/designs/saved-designs.ts';
import type { SavedDesign } from '../../core/ports.ts';
import { Select } from '../ui/fields.tsx';

interface DesignChoiceProps {
  readonly designs: readonly SavedDesign[];
  /** Name of the chosen design; empty for the default. */
  readonly value: string;
}

/** The choice of the design of new codes. Nothing to choose from without saved designs. */
export function DesignChoice({ designs, value }: DesignChoiceProps) {
  if (designs.length === 0) return null;
  const options = [
    { value: '', text: 'Default design' },
    ...designs.map(({ name }) => ({ value: name, text: name })),
  ];
  return <Select id="design" label="Design" options={options} value={value} />;
}

/**
 * Returns the id of the design that a form chooses, nothing for the default.
 *
 * @param name empty for the default
 * @throws InvalidInput when it was deleted since
 */
export async function readDesignChoice(
  savedDesigns: Pick<SavedDesigns, 'find'>,
  accountId: number,
  name: string,
): Promise<{ readonly designId?: number }> {
  return name === '' ? {} : { designId: (await savedDesigns.find(accountId, name)).designId };
}
