/** What Node warns of, told by our own door: Node itself would print it unmasked. A Node that was told not to warn stays silent. */
export function tellWarnings(process: NodeJS.Process, say: (line: string) => void): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => say(`${name}: ${message}`));
}
