/** Where the program says what happens to it: one line each, without secrets. */
export interface Log {
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

export type LogDetails = Readonly<Record<string, string | number | boolean | null>>;

/** `text` for people, `json` for machines. */
export type LogFormat = 'text' | 'json';

/**
 * A log that writes lines.
 *
 * @param nowMs wall clock
 * @param writeLine takes a line without its end
 */
export function createLog(
  format: LogFormat,
  nowMs: () => number,
  writeLine: (line: string) => void,
): Log {
  const at =
    (level: string) =>
    (message: string, details: LogDetails = {}) => {
      const time = new Date(nowMs()).toISOString();
      writeLine(
        format === 'json'
          ? jsonLine({ time, level, message }, details)
          : `${time} ${level} ${oneLine(message)}${textDetails(details)}`,
      );
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** The same log, whose every line also says this. */
export function withDetails(log: Log, always: LogDetails): Log {
  const at =
    (level: keyof Log) =>
    (message: string, details: LogDetails = {}) =>
      log[level](message, { ...details, ...always });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Details never stand in for what the log says itself. */
function jsonLine(head: LogDetails, details: LogDetails): string {
  // JSON leaves some line ends of Unicode as they are; escaped, they mean the same.
  return oneLine(JSON.stringify({ ...head, ...details, ...head }));
}

function textDetails(details: LogDetails): string {
  return Object.entries(details)
    .map(([name, value]) => ` ${name}=${oneLine(JSON.stringify(value))}`)
    .join('');
}

/** Control characters as their escapes, so that nothing from outside can begin a line of its own. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
