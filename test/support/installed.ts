/** Returns whether a tool is installed, or this is CI, which must have it: its tests fail there, and skip elsewhere. */
export function isInstalled(tool: string): boolean {
  return Bun.which(tool) !== null || process.env['CI'] === 'true';
}
