import { composeSafetyCommand } from '../../compose/safety.ts';
import type { Config } from '../../config.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { flagSource } from '../../core/safety/flag.ts';
import { hasDatabase } from '../../sqlite/database/files.ts';
import { type CommonFlags, configOf, type Outcome, report } from '../command.ts';

export type SafetyStores = ReturnType<typeof composeSafetyCommand>;

/**
 * Runs a command on the rules, lists and flagged codes of a data folder.
 *
 * @param options.create whether to create a missing database: lists may be imported before the first start
 */
export function runSafety(
  flags: CommonFlags,
  act: (stores: SafetyStores, config: Config) => Promise<Outcome>,
  { create = false } = {},
): Promise<void> {
  return report(flags, async () => {
    const config = configOf(flags);
    const isNew = create && !hasDatabase(config.data);
    const stores = composeSafetyCommand(config, create);
    try {
      return { ...(isNew && { warning: newDatabase(config) }), ...(await act(stores, config)) };
    } finally {
      stores.close();
    }
  });
}

/** No server would use the lists in a mistyped folder. */
function newDatabase({ data }: Config): string {
  return (
    `there was no database in ${data}, so one was created. If a server is running, name its data ` +
    'folder with --data or WAYMARK_DATA.'
  );
}

/**
 * Converts a value to the form of `--json`: names in snake_case, and times in milliseconds
 * (`importedAtMs`) as ISO 8601 instants under the name without the unit (`imported_at`).
 */
export function onWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      name.endsWith('Ms')
        ? [snakeCase(name.slice(0, -2)), typeof inner === 'number' ? isoTimestamp(inner) : null]
        : [snakeCase(name), onWire(inner)],
    ),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns what people call the list, rule or provider that decided. */
export function listName(list: string): string {
  return {
    operator: "the operator's rules",
    'built-in': 'the built-in test addresses',
    'remote check': list,
    'imported list': list,
  }[flagSource(list)];
}
