/** Nine numbers, row by row. */
export type Matrix3 = readonly number[];

/** Three numbers. */
export type Vector3 = readonly [number, number, number];

/** Multiplies a matrix with a column. */
export function apply(
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0]: Matrix3,
  [x, y, z]: Vector3,
): Vector3 {
  return [a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z];
}

/** Joins three columns. */
export function columns(first: Vector3, second: Vector3, third: Vector3): Matrix3 {
  return [0, 1, 2].flatMap((row) => [first[row] ?? 0, second[row] ?? 0, third[row] ?? 0]);
}

/** Multiplies two matrices. */
export function multiply(left: Matrix3, right: Matrix3): Matrix3 {
  const column = (at: number): Vector3 => [right[at] ?? 0, right[at + 3] ?? 0, right[at + 6] ?? 0];
  return columns(apply(left, column(0)), apply(left, column(1)), apply(left, column(2)));
}

/** Inverts a matrix. Without an inverse, the result is not finite. */
export function invert(matrix: Matrix3): Matrix3 {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = matrix;
  const first = e * i - f * h;
  const second = f * g - d * i;
  const third = d * h - e * g;
  const determinant = a * first + b * second + c * third;
  return [
    ...[first, c * h - b * i, b * f - c * e],
    ...[second, a * i - c * g, c * d - a * f],
    ...[third, b * g - a * h, a * e - b * d],
  ].map((cofactor) => cofactor / determinant);
}
