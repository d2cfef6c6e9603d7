import { flagSource } from '../../core/codes/qr.ts';
import type { Outcome } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';

/** Returns the name that people read for the value of `flag.list`. */
export function listName(list: string): string {
  return {
    operator: "the operator's rules",
    'built-in': 'the built-in test addresses',
    'remote check': list,
    'imported list': list,
  }[flagSource(list)];
}

/**
 * Returns the outcome of a command that removes something.
 *
 * @param what names its kind, such as `list`
 * @throws CommandError when there was none
 */
export function removed(
  what: string,
  name: string,
  wasThere: boolean,
  change: Readonly<Record<string, string>>,
): Outcome {
  if (!wasThere) throw new CommandError(`There is no ${what} ${name}.`);
  return { text: `Removed the ${what} ${name}.`, json: { removed: name }, change };
}
