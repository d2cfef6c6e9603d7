/** Writes log lines. Messages and details must not contain secrets. */
export interface Logger {
  info(message: string, details?: LogDetails): void;
  warn(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

type LogDetails = Readonly<Record<string, string | number | boolean | null>>;

/** `text` for people, `json` for machines. */
type LogFormat = 'text' | 'json';

/**
 * Creates a logger.
 *
 * @param nowMs wall clock
 * @param writeLine receives a line without its line break
 */
export function createLogger(
  format: LogFormat,
  nowMs: () => number,
  writeLine: (line: string) => void,
): Logger {
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

/** Creates a log on stderr. A line that cannot be written, as on a full disk, is dropped. */
export function createStderrLog({ log }: { readonly log: LogFormat }): Logger {
  return createLogger(log, Date.now, (line) => {
    const { stderr } = process;
    // Without a listener, an error of the stream ends the process.
    if (stderr.listenerCount('error') === 0) stderr.on('error', () => {});
    stderr.write(`${line}\n`);
  });
}

/** Returns a logger that adds details to every line. */
export function withDetails(log: Logger, always: LogDetails): Logger {
  const at =
    (level: keyof Logger) =>
    (message: string, details: LogDetails = {}) =>
      log[level](message, { ...details, ...always });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Formats a JSON line. Details never replace time, level or message. */
function jsonLine(head: LogDetails, details: LogDetails): string {
  // JSON leaves Unicode line separators unescaped; the escapes mean the same.
  return oneLine(JSON.stringify({ ...head, ...details, ...head }));
}

function textDetails(details: LogDetails): string {
  return Object.entries(details)
    .map(([name, value]) => ` ${name}=${oneLine(JSON.stringify(value))}`)
    .join('');
}

/** Escapes control characters, so that input cannot start a log line of its own. */
function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
