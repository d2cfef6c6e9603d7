import type { SQL } from 'bun';
import type { Api } from '../../support/api.ts';

/** Changes of one code. */
const steps = 15;

const original = (index: number) => `https://example.com/planned/${index}`;
const destinationOf = (code: string, step: number) => `https://example.com/${code}/${step}`;

/** Creates codes, and plans changes of each that are due one after the other within some time. */
export async function planChanges(
  { api, sql }: { api: Api; sql: SQL },
  { codes: count, withinMs }: { readonly codes: number; readonly withinMs: number },
): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let index = 0; index < count; index++) codes.push((await api.create(original(index))).code);
  const rows = codes.flatMap((code, index) =>
    Array.from({ length: steps }, (_, step) => ({
      code,
      destination: destinationOf(code, step),
      // Codes are due at different times, and some of them together.
      next: Date.now() + Math.round(((step + (index % 5) / 5) * withinMs) / steps),
    })),
  );
  await sql`
    INSERT INTO planned_changes
      (qr_id, account_id, action, destination, first_local, next_at, created_at)
    SELECT qrs.id, qrs.account_id, 'destination', plan.destination,
      to_char(to_timestamp(plan.next / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI'), plan.next, 0
    FROM jsonb_to_recordset(${rows}::jsonb) AS plan (code text, destination text, next bigint)
    JOIN qrs ON qrs.code = plan.code
    ORDER BY plan.next`;
  return codes;
}

/** Returns the number of planned changes that wait. */
export async function waitingPlans(sql: SQL): Promise<number> {
  const [row] = await sql`SELECT count(*) AS waiting FROM planned_changes`;
  return Number(row?.waiting);
}

/** Returns what is wrong with the codes of {@link planChanges} once all was due: lost, made twice, or out of order. */
export async function wrongPlans(sql: SQL, codes: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, code] of codes.entries()) {
    const rows = await sql`
      SELECT former.destination FROM former_destinations former
      JOIN qrs ON qrs.id = former.qr_id WHERE qrs.code = ${code} ORDER BY former.id`;
    const [now] = await sql`SELECT destination FROM qrs WHERE code = ${code}`;
    const made = [...rows.map((row: { destination: string }) => row.destination), now?.destination];
    const expected = [
      original(index),
      ...Array.from({ length: steps }, (_, step) => destinationOf(code, step)),
    ];
    if (!Bun.deepEquals(made, expected)) wrong.push(`${code}: ${made.join(' ')}`);
  }
  return wrong;
}
