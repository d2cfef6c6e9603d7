import { allCommands, type CommandEntry } from './command-tree.ts';

/**
 * Formats the manual page waymark(1) for man(7).
 *
 * @param date as `2026-11-24`
 */
export function formatManual(program: CommandEntry, version: string, date: string): string {
  const commands = allCommands(program).filter(({ children }) => children.length === 0);
  return `${[
    `.TH WAYMARK 1 ${date} "Waymark ${version}"`,
    '.SH NAME',
    `waymark \\- ${literal('server for dynamic QR codes')}`,
    '.SH SYNOPSIS',
    '.B waymark',
    '.I command',
    `.RI [ options ]`,
    '.SH DESCRIPTION',
    ...wrap(program.description),
    ...wrap(
      'Commands work beside a running server, which sees their effect at its next request. They need its settings.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(formatCommand),
    '.SH ENVIRONMENT',
    ...wrap(
      'The environment variable in brackets sets an option of "waymark serve" too. All commands read these variables.',
    ),
    '.SH FILES',
    ...entry('/etc/waymark.env', 'Settings of the service.'),
    ...entry('/var/lib/waymark', 'Database of the service.'),
    '.SH EXIT STATUS',
    ...entry('0', 'Done.'),
    ...entry('1', 'Rejected. The reason is on standard error.'),
    ...entry('2', 'Wrong usage.'),
    '.SH SEE ALSO',
    '.BR systemctl (1)',
  ].join('\n')}\n`;
}

function formatCommand({ path, description, arguments: values, options }: CommandEntry): string[] {
  return [
    `.SS "${literal(['waymark', ...path, ...values].join(' '))}"`,
    ...wrap(`${capitalize(description)}.`),
    ...options
      .filter(({ names }) => !names.includes('--help'))
      .flatMap((option) => {
        const choices = option.choices.length > 0 ? ` (${option.choices.join(', ')})` : '';
        return entry(option.flags, `${capitalize(option.description || 'one of')}${choices}.`);
      }),
  ];
}

function entry(term: string, text: string): string[] {
  return ['.TP', `.B ${literal(term)}`, ...wrap(text)];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Escapes the characters that man(7) would change. */
function literal(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
}

const lineLength = 76;

/** Breaks text into lines, since long ones are bad style in a manual. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of literal(text).split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > lineLength) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => one.replace(/^[.']/, '\\&$&'));
}
