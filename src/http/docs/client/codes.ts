import type { SwaggerResponse, SwaggerUi } from './swagger-ui.ts';

/** An operation of the OpenAPI document. */
export type Operation = readonly [path: string, method: string];

/** Returns the operations of the OpenAPI document that have a code in their path. */
export function codeOperations(text: string): Operation[] {
  const { paths } = JSON.parse(text) as { paths: Readonly<Record<string, object>> };
  return Object.entries(paths)
    .filter(([path]) => path.includes('{code}'))
    .flatMap(([path, item]) => Object.keys(item).map((method) => [path, method] as const));
}

/** Fills the code of a QR that was created into the other operations. */
export function fillCode(
  ui: SwaggerUi,
  operations: readonly Operation[],
  { status, text }: SwaggerResponse,
): void {
  if (status !== 201) return;
  const { code } = JSON.parse(text) as { code: string };
  for (const operation of operations) ui.specActions.changeParam(operation, 'code', 'path', code);
}
