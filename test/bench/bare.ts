// The practical limit: Bun's own server, answering every request with the same redirect.
const server = Bun.serve({
  port: Number(process.argv[2]),
  hostname: '127.0.0.1',
  development: false,
  fetch: () => new Response(null, { status: 302, headers: { Location: 'https://example.com/' } }),
});
console.log(`listening on ${server.port}`);
