import { readFileSync } from 'node:fs';

// The practical limit: Bun's own server, answering every request with the same thing: a redirect, or
// the file that is named.
const [port, file] = process.argv.slice(2);
const bytes = file === undefined ? null : readFileSync(file);
const server = Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  development: false,
  fetch: () =>
    bytes === null
      ? new Response(null, { status: 302, headers: { Location: 'https://example.com/' } })
      : new Response(bytes, { headers: { 'Content-Type': 'image/png' } }),
});
console.log(`listening on ${server.port}`);
