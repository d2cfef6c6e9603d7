import { operatorList } from '../../core/qr.ts';

/** What flagged or let through a destination, as people call it: the operator's own rules are no list. */
export function listName(list: string): string {
  return list === operatorList ? "the operator's rules" : list;
}
