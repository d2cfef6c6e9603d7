import { type Command, Option } from 'commander';
import type { FormatOptions } from '../../reputation/lists/detect-format.ts';
import { listFormats } from '../../reputation/lists/formats.ts';
import type { CommonFlags } from '../command.ts';

/** How the file of a list is to be read, where the operator knows better than what is found out. */
export interface FormatFlags extends CommonFlags {
  readonly format?: (typeof listFormats)[number];
  readonly column?: string;
}

export function withFormat(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'default: found out').choices(listFormats))
    .option('--column <column>', 'of a CSV file: its heading, or its place counted from 1');
}

export function formatOf({ format, column }: FormatFlags): FormatOptions {
  const place = column !== undefined && /^\d+$/.test(column) ? Number(column) : column;
  return { ...(format && { format }), ...(place !== undefined && { column: place }) };
}
