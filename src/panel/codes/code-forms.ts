import { maxPathLength } from '../../core/codes/code.ts';
import { type LabelField, labelFields, mapLabels } from '../../core/codes/fields.ts';
import type { Folder } from '../../core/codes/ports.ts';
import { parseSizeMm } from '../../core/codes/print/paper.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { DomainChoices } from '../../core/codes/urls/new-domain.ts';
import {
  resemblesDomain,
  splitAddresses,
  withScheme,
} from '../../core/codes/urls/typed-address.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { Refused } from '../../core/errors.ts';
import { maxPausedMessageLength, parseName, parsePausedMessage } from '../../core/labels.ts';
import type { Said } from '../../languages/texts.ts';
import { type ChosenDesign, designField } from '../designs/design-field.tsx';
import { domainFields } from '../domains/domain-field.ts';
import type { Problem } from '../request/request.ts';
import { areaField, hiddenField, nameField, textField, verbatim } from '../ui/fields.tsx';
import { type Field, InvalidForm, suggestion, typedText } from '../ui/form.tsx';
import { folderField } from './folders/folder-field.tsx';
import { labelTexts } from './label-texts.ts';

/** The form of what a paused code says instead of its account's message. */
export const pauseForm = {
  message: areaField({
    label: (t) => t.code.message,
    hint: (t) => t.code.messageHint({ chars: maxPausedMessageLength }),
    parse: parsePausedMessage,
    rows: 4,
  }),
};

function parseTyped(text: string): string {
  const url = withScheme(text);
  if (url === '')
    throw new Refused({ kind: 'wrong destination', problem: 'empty', text: '', meant: null });
  if (resemblesDomain(url)) throw new Refused({ kind: 'resembles a domain', text: url });
  return url;
}

interface DestinationOptions {
  readonly hint?: Said;
  /** Where the code leads now, which is mostly replaced. */
  readonly current?: string;
  /** Whether browsers ask for it; false where another field says whether it counts. */
  readonly isRequired?: boolean;
  readonly autofocus?: boolean;
}

/**
 * Creates a destination.
 * Type `url` would make browsers reject a URL without scheme. A text with two addresses is asked about: archives have
 * such addresses, but mostly one was pasted beside the other.
 */
export function destinationField(
  label: Said,
  { hint = '', current, isRequired = true, autofocus = false }: DestinationOptions = {},
): Field<string> {
  const field = textField({
    label,
    hint,
    parse: parseTyped,
    inputMode: 'url',
    placeholder: 'https://example.com/menu',
    required: isRequired,
    isSelected: current !== undefined,
    autofocus,
    ...verbatim,
  });
  return {
    ...field,
    takesSuggestions: true,
    read: (typed, name) => {
      const text = typedText(typed, name);
      const url = parseTyped(text);
      const problem = twoAddresses(name, url, current);
      if (problem !== null && typed.text(`${name}-sure`) !== url)
        throw new InvalidForm({ [name]: problem });
      return url;
    },
  };
}

/**
 * Returns the question about a text with two addresses: which is meant, or both. Null for one address.
 *
 * @param current where the code leads now, which is not what is meant
 */
export function twoAddresses(name: string, url: string, current?: string): Problem | null {
  const addresses = splitAddresses(url);
  if (addresses === null) return null;
  const others = addresses.filter((address) => address !== current);
  const [meant] = others.slice(-1);
  return {
    text: (t) => t.destination.twoAddresses,
    answers: [
      ...(meant === undefined ? [] : [suggestion(name, meant)]),
      { name: `${name}-sure`, value: url, text: (t) => t.destination.keepBoth },
    ],
  };
}

/** Creates the form that changes the destination of a code. */
export const destinationForm = ({ destination: current }: Qr) => ({
  url: destinationField((t) => t.destination.destination, {
    hint: (t) => t.destination.isSelected,
    current,
  }),
});

/** Creates the fields of all labels but the switch of the code's page. */
const labelsOf = (isOptional: boolean) => {
  const { query: _, ...fields } = mapLabels((name, { parse, areaLength }: LabelField) => {
    const said = { ...labelTexts(name), isOptional, parse };
    return areaLength === undefined
      ? nameField(said)
      : // Browsers count UTF-16 code units.
        areaField({ ...said, maxLength: 2 * areaLength, rows: 3 });
  });
  return fields;
};
const labels = labelsOf(false);

/** Creates the form for a new code. Sending it twice with the same attempt creates one code. */
export const createForm = (
  designs: readonly SavedDesign[],
  folders: readonly Folder[],
  domains: DomainChoices,
  chosen?: ChosenDesign,
) => ({
  attempt: hiddenField((text) => text),
  url: destinationField((t) => t.newCode.whereToLead, {
    hint: (t) => t.newCode.canChange,
    autofocus: true,
  }),
  ...labelsOf(true),
  name: nameField({
    label: (t) => t.labels.name,
    isOptional: true,
    parse: parseName,
    placeholder: (t) => t.newCode.exampleName,
  }),
  folder: folderField(folders),
  ...domainFields(domains),
  design: designField(designs, chosen),
  path: pathField(true),
});

/** The form that downloads a code as a PDF. */
export const pdfForm = {
  size: textField({
    label: (t) => t.picture.width,
    hint: (t) => t.picture.widthHint,
    parse: parseSizeMm,
    inputMode: 'decimal',
    required: true,
  }),
};

/**
 * Creates the form for the labels of a code.
 * A page that has no field for the path leaves it as it is, and so does an unchanged one, which may be older than the
 * rules of paths.
 */
export const labelsForm = (folders: readonly Folder[], { path: current }: Pick<Qr, 'path'>) => ({
  ...labels,
  folder: folderField(folders, false),
  path: {
    ...pathField(false),
    read: (typed, name) =>
      typed.all(name).length === 0 || typed.text(name) === current
        ? undefined
        : labels.path.read(typed, name),
  } satisfies Field<string | null | undefined>,
});

/** Creates a path of the owner's choice. */
function pathField(isOptional: boolean): Field<string | null> {
  return textField({
    ...labelTexts('path'),
    isOptional,
    parse: labelFields.path.parse,
    maxLength: maxPathLength,
    placeholder: 'menu',
    ...verbatim,
  });
}
