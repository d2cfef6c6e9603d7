/**
 * Internal command that reads a file of a user in a process of its own, which is killed at its limits. A file of 2 kB
 * can take any time and gigabytes, and `Worker.terminate` stops neither WebAssembly (oven-sh/bun#36356) nor a decoder
 * of Bun.Image.
 */
export const readFileCommand = 'read-file';
