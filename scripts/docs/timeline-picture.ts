import type { RunEvent } from '../../src/engine/document.ts';
import { isEnd, type Tone, toneOf, toneWords } from '../../src/report/trace/page/tones.ts';
import { escaped, svg } from './svg.ts';

type Change = Extract<RunEvent, { type: 'line' }>;

const width = 860;
const left = 150;
const right = 20;
const top = 44;
const row = 26;
const bar = 16;
const shown: readonly Tone[] = ['look', 'idle', 'write', 'wait', 'record'];

/** The timeline of a run: a row for each line, and a bar for each kind of state that it went through. */
export function timelinePicture(events: readonly RunEvent[]): string {
  const lines = Map.groupBy(
    events.filter((event): event is Change => event.type === 'line'),
    ({ line }) => line,
  );
  const moments = [...lines.values()].flat().map(({ at }) => at);
  const [start, end] = [Math.min(...moments), Math.max(...moments)];
  const x = (at: number): number => Math.round((left + ((at - start) / (end - start)) * (width - left - right)) * 10) / 10;
  const height = top + lines.size * row + 16;
  const seconds = Array.from({ length: Math.floor((end - start) / 1000) + 1 }, (_, i) => i);
  const step = Math.max(1, Math.ceil(seconds.length / 8));
  const ticks = seconds
    .filter((second) => second % step === 0)
    .map((second) => {
      const at = x(start + second * 1000);
      return `<line class="rule" x1="${at}" x2="${at}" y1="${top - 6}" y2="${height - 10}"/><text class="quiet" x="${at + 3}" y="${top - 8}">${second} s</text>`;
    });
  const rows = [...lines].map(([name, changes], i) => {
    const y = top + i * row;
    return `<text x="16" y="${y + 13}">${escaped(name)}</text>${bars(changes, end)
      .map((one) => barOf(one, x, y))
      .join('')}`;
  });
  const used = new Set([...lines.values()].flatMap((changes) => bars(changes, end).map(({ tone }) => tone)));
  return svg(width, height, 'The timeline of an apply', [legend(shown.filter((tone) => used.has(tone))), ...ticks, ...rows]);
}

interface Bar {
  readonly tone: Tone;
  readonly from: number;
  readonly to: number;
}

/** The states of a line by their kinds. States of one kind that follow each other are one bar. */
function bars(changes: readonly Change[], end: number): readonly Bar[] {
  const all: Bar[] = [];
  changes.forEach(({ to, at }, i) => {
    const until = changes[i + 1]?.at ?? end;
    const last = all.at(-1);
    if (isEnd(to) || until === at) return;
    const tone = toneOf(to);
    if (last?.tone === tone && last.to === at) all[all.length - 1] = { ...last, to: until };
    else all.push({ tone, from: at, to: until });
  });
  return all;
}

const barOf = ({ tone, from, to }: Bar, x: (at: number) => number, y: number): string => {
  const at = x(from);
  return `<rect class="${tone}" x="${at}" y="${y}" width="${Math.max(1.5, Math.round((x(to) - at) * 10) / 10)}" height="${bar}" rx="2"/>`;
};

const legend = (tones: readonly Tone[]): string =>
  tones
    .map((tone, i) => {
      const at = left + i * 110;
      return `<rect class="${tone}" x="${at}" y="10" width="12" height="12" rx="2"/><text x="${at + 18}" y="21">${toneWords[tone]}</text>`;
    })
    .join('');
