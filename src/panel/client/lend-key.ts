/** Gives a new API key to Swagger UI in other tabs while this page is open. It is not stored. */
export function lendKey(key: string): void {
  const channel = new BroadcastChannel('waymark-key');
  channel.addEventListener('message', ({ data }) => {
    if (data === 'wanted') channel.postMessage({ key });
  });
}
