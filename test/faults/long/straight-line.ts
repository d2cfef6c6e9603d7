export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The slope of the straight line that fits the points best (least squares). */
export function slopeOf(points: readonly Point[]): number {
  const meanOf = (pick: (point: Point) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const meanX = meanOf(({ x }) => x);
  const meanY = meanOf(({ y }) => y);
  return meanOf(({ x, y }) => (x - meanX) * (y - meanY)) / meanOf(({ x }) => (x - meanX) ** 2);
}
