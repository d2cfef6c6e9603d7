import { flagSource } from '../../core/safety/flag.ts';

/** What flagged or let through a destination, as people call it. */
export function listName(list: string): string {
  return {
    operator: "the operator's rules",
    'built-in': 'the built-in test addresses',
    'remote check': list,
    'imported list': list,
  }[flagSource(list)];
}
