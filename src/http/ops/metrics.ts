/** What kinds of addresses there are. Never a code, an account or a path: those have no end. */
export const routeClasses = ['short_link', 'api', 'account', 'page'] as const;
export type RouteClass = (typeof routeClasses)[number];

/** Statuses are counted below this. */
export const statuses = 600;

export type AnswerCounts = ReturnType<typeof createAnswerCounts>;

/** Counts answers. Counting is one addition in an array, because a phone waits. */
export function createAnswerCounts() {
  const answers = routeClasses.map(() => new Float64Array(statuses));
  return {
    count: (route: RouteClass, status: number): void => {
      const counts = answers[routeClasses.indexOf(route)];
      if (counts !== undefined && status < statuses) counts[status] = (counts[status] ?? 0) + 1;
    },
    /** How many answers of a kind had a status. */
    answered: (route: RouteClass, status: number): number =>
      answers[routeClasses.indexOf(route)]?.[status] ?? 0,
  };
}
