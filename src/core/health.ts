import { errnoMessage } from '../lib/errors.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';

/** A condition that an operator should know about. */
export interface HealthCondition {
  /** Identifies the condition in metrics, in snake case. Several conditions may share a name. */
  readonly name: string;
  /** `problem`: a promise is not kept, and `/healthz` is 503. `warning`: needs attention before that. */
  readonly severity: 'problem' | 'warning';
  /** Whether creates and edits are rejected meanwhile, because they would be lost or make it worse. */
  readonly rejectsWrites?: true;
  /** False for what is expected and not worth a line in the log. */
  readonly isLogged?: boolean;
  /**
   * Returns messages with problem, cause and what to do; none while all is well.
   * Must be cheap. If it throws, the condition holds as a problem.
   */
  readonly check: () => readonly string[];
}

/** The state of all conditions at one time. */
export interface HealthReport {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Every known condition by name, whether it holds or not. */
  readonly conditions: readonly {
    readonly name: string;
    readonly severity: Severity;
    readonly holds: boolean;
  }[];
}

/** How large a database is. */
export interface DatabaseSizes {
  readonly databaseBytes: number;
  /** Size of the write-ahead log beside the database; 0 where a server keeps it. */
  readonly walBytes: number;
  /** Free space on the file system of the database; null where a server keeps it. */
  readonly freeDiskBytes: number | null;
}

/** Returns the report of two processes together. */
export function joinReports(a: HealthReport, b: HealthReport): HealthReport {
  return {
    problems: [...a.problems, ...b.problems],
    warnings: [...a.warnings, ...b.warnings],
    conditions: joinByName([...a.conditions, ...b.conditions]),
  };
}

/** Returns each condition once: with the worst severity, and whether any of its name holds. */
export function joinByName(conditions: HealthReport['conditions']): HealthReport['conditions'] {
  return Array.from(
    Map.groupBy(conditions, ({ name }) => name),
    ([name, same]) => ({
      name,
      severity: same.map(({ severity }) => severity).reduce(worse),
      holds: same.some(({ holds }) => holds),
    }),
  );
}

type Severity = HealthCondition['severity'];

const worse = (a: Severity, b: Severity): Severity => (a === 'problem' ? a : b);

export type Health = ReturnType<typeof createHealth>;

/**
 * Creates the registry of everything that can be wrong with a server.
 * Health check, metrics and log read it.
 */
export function createHealth(log: Logger) {
  const conditions: HealthCondition[] = [];
  const logged = new Set<HealthCondition>();

  const logChange = (condition: HealthCondition, messages: readonly string[]) => {
    const { name, isLogged = true } = condition;
    if (!isLogged) return;
    const severity = severityOf(condition);
    const holds = messages.length > 0;
    if (holds === logged.has(condition)) return;
    if (!holds) {
      logged.delete(condition);
      log.info(`${severity} is over`, { name });
      return;
    }
    logged.add(condition);
    const text = messages.join(' ');
    if (severity === 'problem') log.error(text, { name });
    else log.warn(text, { name });
  };

  const failed = new Set<HealthCondition>();

  /**
   * Returns the messages of a condition.
   * One whose check throws holds as a problem, whatever its severity.
   */
  const check = (condition: HealthCondition): readonly string[] => {
    let messages: readonly string[];
    try {
      messages = condition.check();
      failed.delete(condition);
    } catch (error) {
      failed.add(condition);
      messages = [
        `Whether ${condition.name} holds cannot be checked: ${errnoMessage(error)}. Check the folders and files of the server.`,
      ];
    }
    logChange(condition, messages);
    return messages;
  };

  const severityOf = (condition: HealthCondition): Severity =>
    failed.has(condition) ? 'problem' : condition.severity;

  return {
    add: (...added: readonly HealthCondition[]): void => {
      conditions.push(...added);
    },
    /** Checks all conditions. Logs each that has begun or ended since the last check. */
    read: (): HealthReport => {
      const messages = new Map(conditions.map((condition) => [condition, check(condition)]));
      const texts = (severity: Severity) =>
        conditions.flatMap((one) =>
          severityOf(one) === severity ? (messages.get(one) ?? []) : [],
        );
      return {
        problems: texts('problem'),
        warnings: texts('warning'),
        conditions: joinByName(
          conditions.map((one) => ({
            name: one.name,
            severity: severityOf(one),
            holds: (messages.get(one) ?? []).length > 0,
          })),
        ),
      };
    },
    /** Returns whether creates and edits must be rejected now. */
    rejectsWrites: (): boolean =>
      conditions.some((one) => one.rejectsWrites === true && check(one).length > 0),
  };
}

// So that the log tells of a problem that nobody asks for.
const checkIntervalMs = 5000;

/** Creates the health registry of a server process, as {@link createHealth} does, and checks it regularly. */
export function watchHealth(log: Logger): Health & { close(): void } {
  const health = createHealth(log);
  return { ...health, close: every(checkIntervalMs, health.read) };
}
