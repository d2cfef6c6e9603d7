import { writeFileAtomically } from '../../lib/atomic-write.ts';
import { type Command, Option } from 'commander';
import { caddy } from '../../export/caddy.ts';
import { csv } from '../../export/csv.ts';
import { json } from '../../export/json.ts';
import { nginx } from '../../export/nginx.ts';
import type { Format } from '../../export/redirect-map.ts';
import { redirects } from '../../export/redirects-file.ts';
import { openForReading } from '../../sqlite/database/read-only.ts';
import { withRedirectMap } from '../../sqlite/maintenance/redirect-map.ts';
import { refuseExisting, refuseTarget } from '../../sqlite/maintenance/overwrite-guard.ts';
import { inBackground } from '../background.ts';
import { type CommonFlags, configOf, reporting, subcommand } from '../command.ts';
import { counted } from '../counted.ts';
import { exitCodes, refuse } from '../exit-codes.ts';
import { toReader } from '../stdout.ts';

const formats = { nginx, caddy, redirects, csv, json } as const satisfies Record<string, Format>;

type FormatName = keyof typeof formats;

interface ExportFlags extends CommonFlags {
  readonly format?: FormatName;
  readonly out?: string;
  readonly force?: true;
}

// Caddy 2.6 holds each route in some 9 kB: this many take it 450 MB and several seconds to start.
const mostForCaddy = 50_000;

// One write for many lines.
const pieceCharacters = 64 * 1024;

/** `waymark export` */
export function addExportCommand(program: Command): void {
  const command = inBackground(
    subcommand(
      'export',
      'write every code and its destination, so that printed codes outlive this program',
    ),
  )
    .addOption(
      new Option(
        '--format <format>',
        'for which web server, or a plain table (default: csv, or json with --json)',
      ).choices(Object.keys(formats)),
    )
    .option('--out <file>', 'file to write (default: standard output, also as "-")')
    .option('--force', 'replace the file if it exists');
  program.addCommand(
    command.action(async (flags: ExportFlags) => {
      const { out, json: forMachines, format } = flags;
      if (out !== undefined && out !== '-') return reporting(flags, () => toFile(flags, out));
      if (forMachines && format !== undefined && format !== 'json')
        command.error(
          `error: --json and --format ${format} ask for two things on standard output; add --out, or leave one of them out`,
          { exitCode: exitCodes.misused },
        );
      await toStdout({ ...flags, format: format ?? (forMachines ? 'json' : 'csv') });
    }),
  );
}

async function toStdout(flags: ExportFlags): Promise<void> {
  const stdout = Bun.stdout.writer();
  try {
    await toReader(async () => {
      const { codes } = await writing(flags, async (piece) => {
        await stdout.write(piece);
        await stdout.flush();
      });
      const warning = warningOf(flags, codes);
      if (warning !== undefined) console.error(`Warning: ${warning}`);
    });
  } catch (error) {
    refuse(error);
  }
}

async function toFile(flags: ExportFlags, out: string) {
  refuseTarget(configOf(flags).data, out);
  if (!flags.force) refuseExisting(out);
  const { codes, active } = await writeFileAtomically(out, (add) =>
    writing(flags, async (piece) => add(piece)),
  );
  const warning = warningOf(flags, codes);
  return {
    text: `Wrote ${out}: of ${counted(codes, 'code')}, ${active} redirect and ${codes - active} answer 410.`,
    json: { file: out, format: formatOf(flags), codes, active, gone: codes - active },
    ...(warning !== undefined && { warning }),
  };
}

/** What the map is written as where nothing is said. */
function formatOf({ format = 'csv' }: ExportFlags): FormatName {
  return format;
}

function warningOf({ format }: ExportFlags, codes: number): string | undefined {
  if (format !== 'caddy' || codes <= mostForCaddy) return undefined;
  return (
    `Caddy needs about 9 MB of memory for a thousand codes, and these are ${codes}. nginx holds a ` +
    'million in 440 MB: consider --format nginx.'
  );
}

/** Passes the map on in pieces. Counts what it holds on the way. */
async function writing(flags: ExportFlags, write: (piece: string) => Promise<void>) {
  const connection = openForReading(configOf(flags).data);
  try {
    return await withRedirectMap(connection, async (map) => {
      let piece = '';
      for (const line of formats[formatOf(flags)](map)) {
        piece += line;
        if (piece.length < pieceCharacters) continue;
        await write(piece);
        piece = '';
      }
      await write(piece);
      return { codes: map.codes, active: map.active };
    });
  } finally {
    connection.$client.close();
  }
}
