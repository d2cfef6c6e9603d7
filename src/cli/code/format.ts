import { codeFields, fieldText } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { formatCount } from '../../lib/numbers.ts';

/** Converts a code for `--json`. */
export function codeJson(qr: Qr): Readonly<Record<string, unknown>> {
  const fields = codeFields.filter(({ isNotInJson }) => !isNotInJson);
  return Object.fromEntries(fields.map(({ column, value }) => [column, value(qr)]));
}

/** Describes a code in one line. */
export function codeLine(qr: Qr): string {
  const values = codeFields.filter(({ isInLine }) => isInLine).map(({ value }) => value(qr));
  const parts = [qr.code, ...values, formatCount(qr.scans, 'scan')];
  if (qr.status !== 'active') parts.push(qr.status);
  if (qr.isArchived) parts.push('archived');
  return parts.filter((part) => part !== null).join('  ');
}

/** Describes a code in several lines. */
export function codeText(qr: Qr): string {
  return codeFields
    .map((field) => [field.label, fieldText(field, qr)] as const)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => {
      // Lines of a note are indented like its first one.
      const text = value.replaceAll('\n', `\n${' '.repeat(columnWidth)}`);
      return `${`${label}:`.padEnd(columnWidth)}${text}`;
    })
    .join('\n');
}

const columnWidth = 'Destination: '.length;
