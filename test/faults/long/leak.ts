/**
 * Loaded before the program, this makes it keep `SOAK_LEAK` bytes of every request: the control that
 * shows that the soak would see a leak.
 */
const kept: Uint8Array[] = [];
const bytes = Number(process.env['SOAK_LEAK']);
const serve = Bun.serve;

Bun.serve = ((options: { fetch(request: Request, server: unknown): unknown }) => {
  const answer = options.fetch;
  return serve({
    ...options,
    fetch(request: Request, server: unknown) {
      kept.push(new Uint8Array(bytes).fill(1));
      return answer.call(this, request, server);
    },
    // Only what `serve` is given is changed, never its types.
  } as Parameters<typeof serve>[0]);
}) as typeof serve;
