import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createLogger } from '../../src/lib/logger.ts';

const nowMs = () => Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const time = '2026-01-02T03:04:05.006Z';

function logged(format: 'text' | 'json', message: string, details?: Record<string, string>) {
  const lines: string[] = [];
  createLogger(format, nowMs, (line) => lines.push(line)).warn(message, details);
  return lines;
}

// Line breaks (Unicode, section 5.8) and the control characters of terminals.
const breaksLine = /[\p{Cc}\u2028\u2029]/u;
const anything = fc.string({
  maxLength: 20,
  unit: fc.oneof(
    fc.constantFrom('\n', '\r', '\u0085', '\u2028', '\u2029', '\0', '\x1b', '\x7f', '"', '\\', ' '),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

describe('a log line', () => {
  test('has its level, and details as name=value in the text format', () => {
    const lines: string[] = [];
    const log = createLogger('text', nowMs, (line) => lines.push(line));
    log.info('a', { count: 1, on: true, none: null });
    log.warn('cannot write', { path: '/a b', tries: '3' });
    log.error('b');
    expect(lines).toEqual([
      `${time} info a count=1 on=true none=null`,
      `${time} warn cannot write path="/a b" tries="3"`,
      `${time} error b`,
    ]);
  });

  test.each(['text', 'json'] as const)('is one line in the %s format for any input', (format) => {
    fc.assert(
      fc.property(anything, anything, (message, detail) => {
        const lines = logged(format, message, { detail });
        expect(lines).toHaveLength(1);
        expect(lines[0]).not.toMatch(breaksLine);
      }),
    );
  });

  test('in JSON parses to its input, and details cannot replace time, level or message', () => {
    fc.assert(
      fc.property(anything, anything, (message, detail) => {
        const [line = ''] = logged('json', message, { detail });
        expect(JSON.parse(line)).toEqual({ time, level: 'warn', message, detail });
      }),
    );
    const [line = ''] = logged('json', 'real', { message: 'false', level: 'info', time: 'never' });
    expect(JSON.parse(line)).toMatchObject({ time, level: 'warn', message: 'real' });
  });
});
