import { stateWords } from '../../../line-states.ts';
import { oneLine, showTime } from '../../../text.ts';
import { clockTime } from '../times.ts';
import type { Row } from './timeline-draw.ts';

/** What a row has at a moment, give or take so many milliseconds a pixel. */
export function tipAt(row: Row, at: number, perPixel: number): readonly string[] {
  const near = perPixel * 3;
  const isNear = ({ from, to }: { readonly from: number; readonly to: number }): boolean => at >= from - near && at <= to + near;
  const bar =
    row.bars.findLast(({ from, to }) => at >= from && at <= Math.max(to, from + near)) ?? row.bars.findLast(({ from }) => at >= from);
  return [
    row.name,
    ...(bar ? [`${stateWords(bar.state)}${bar.to > bar.from ? `, ${showTime(bar.to - bar.from)}` : ''} from ${clockTime(bar.from)}`] : []),
    ...row.spans.filter(isNear).map(({ text, from, to }) => `${text}, ${showTime(to - from)}`),
    ...row.requests
      .filter(isNear)
      .slice(0, 6)
      .map((request) =>
        oneLine(
          `${request.method} ${request.url}: ${request.status ?? 'no answer'}, ${showTime(request.to - request.from)}${request.attempt > 1 ? `, try ${request.attempt}` : ''}`,
        ),
      ),
    ...row.waits.filter((wait) => Math.abs(wait.at - at) <= near * 2).map(({ text }) => oneLine(text)),
  ];
}
