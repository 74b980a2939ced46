/** Milliseconds of processor time that this process takes for some work: how busy the machine is does not count. */
export async function work(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
