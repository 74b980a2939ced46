const minute = 60_000;

/** The next moment that a cron text names, in milliseconds since a midnight. It reads minutes and hours; the other three must be `*`. */
export function nextOf(cron: string, after: number): number {
  const [minutes = '', hours = '', ...rest] = cron.trim().split(/\s+/);
  if (rest.join(' ') !== '* * *') throw new Error(`the schedule "${cron}" names days, which this world does not know`);
  const [isMinute, isHour] = [matcher(minutes, cron), matcher(hours, cron)];
  for (let at = (Math.floor(after / minute) + 1) * minute; at < after + 2 * 24 * 60 * minute; at += minute) {
    if (isMinute((at / minute) % 60) && isHour(Math.floor(at / minute / 60) % 24)) return at;
  }
  throw new Error(`the schedule "${cron}" names no moment`);
}

function matcher(text: string, cron: string): (value: number) => boolean {
  const parts = text.split(',').map((part) => {
    const [, start, end, step = '1'] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
    if (!/^(?:\*|\d+(?:-\d+)?)(?:\/\d+)?$/.test(part)) throw new Error(`"${part}" in the schedule "${cron}" is not known to this world`);
    return { from: Number(start ?? 0), to: start === undefined ? 59 : Number(end ?? start), step: Number(step) };
  });
  return (value) => parts.some(({ from, to, step }) => value >= from && value <= to && (value - from) % step === 0);
}
