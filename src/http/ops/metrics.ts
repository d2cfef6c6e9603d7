/** Kinds of paths that responses are counted by. Never a code or an account: their number has no bound. */
export const routeClasses = ['short_link', 'api', 'account', 'page'] as const;
export type RouteClass = (typeof routeClasses)[number];

/** HTTP statuses are below this. */
export const statusLimit = 600;

export type ResponseCounts = ReturnType<typeof createResponseCounts>;

/** Creates the response counters. Counting is one addition in an array, since every redirect is counted. */
export function createResponseCounts() {
  const byRoute = routeClasses.map(() => new Float64Array(statusLimit));
  return {
    count: (route: RouteClass, status: number): void => {
      const counts = byRoute[routeClasses.indexOf(route)];
      if (counts !== undefined && status < statusLimit) counts[status] = (counts[status] ?? 0) + 1;
    },
    /** Returns the number of responses with a status since the start. */
    total: (route: RouteClass, status: number): number =>
      byRoute[routeClasses.indexOf(route)]?.[status] ?? 0,
  };
}
