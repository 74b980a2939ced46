import { createBoard, type Progress } from './progress-board.ts';
import { type Drawn, picture } from './progress-picture.ts';
import type { Styles } from './styles.ts';

/** A terminal, as far as drawing needs it. */
export interface LiveScreen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** It has not taken yet what was written before. */
  readonly writableNeedDrain?: boolean;
  write(text: string): unknown;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

export interface LiveOptions {
  readonly stream: LiveScreen;
  readonly styles: Styles;
  readonly now: () => number;
  /** No report follows here: what stood last is what a person reads. */
  readonly staysAtEnd?: boolean;
  /** Calls `draw` again and again until the returned function is called; tests draw themselves. */
  readonly repeat?: (draw: () => void) => () => void;
}

const csi = '\u001b[';
/** A row that a terminal draws wider than it was counted is cut there, and takes no second row. */
const [noWrap, wrap] = [`${csi}?7l`, `${csi}?7h`];
const [hide, show] = [`${csi}?25l`, `${csi}?25h`];

/**
 * Draws the picture of a run and draws over it again. It is erased at the end where a report follows, which says the same and more.
 * Whatever is switched in the terminal is switched back in the same write: a process that is killed at any moment leaves it whole.
 */
export function createLiveProgress({ stream, styles, now, staysAtEnd = false, repeat = everyTenth }: LiveOptions): Progress {
  const board = createBoard(now());
  const canvas = createCanvas(stream);
  let isStopped = false;
  const draw = (above = ''): void => {
    if (isStopped) return;
    const { width, height } = sizeOf(stream);
    canvas.draw(picture(board, { width, height, now: now(), styles }), above);
  };
  const redraw = (): void => draw();
  const stopRepeating = repeat(redraw);
  stream.on?.('resize', redraw);
  return {
    listen: (event) => board.note(event, now()),
    print: (line) => {
      if (isStopped) stream.write(`${line}\n`);
      else draw(`${line}\n`);
    },
    stop: () => {
      if (isStopped) return;
      if (staysAtEnd) draw();
      else canvas.erase();
      isStopped = true;
      stopRepeating();
      stream.off?.('resize', redraw);
    },
  };
}

function everyTenth(draw: () => void): () => void {
  const timer = setInterval(draw, 100);
  // A picture must never keep the process alive.
  timer.unref();
  return () => clearInterval(timer);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Some terminals say 0 columns before they know better. */
const sizeOf = ({ columns, rows }: LiveScreen): Size => ({ width: columns || 80, height: rows || 24 });

/** The part of the screen above the cursor that is ours. */
function createCanvas(stream: LiveScreen) {
  let drawn: readonly Drawn[] = [];
  let size = sizeOf(stream);
  /** Rows of ours that a window grown smaller pushed out of its top, and gives back when it grows. */
  let pushedOut = 0;

  /** The way to the first row. A window that changed its width has laid out anew what stands in it. */
  const home = (): string => {
    const before = size;
    size = sizeOf(stream);
    const rows = drawn.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / size.width)), 0);
    const back = Math.min(pushedOut, Math.max(0, size.height - before.height));
    pushedOut += Math.max(0, rows + 1 - size.height) - back;
    const up = Math.min(rows + back, size.height - 1);
    // A Ctrl-C is echoed at the cursor, so it need not stand in the first column.
    return up > 0 ? `\r${csi}${up}A` : '\r';
  };

  return {
    draw: (next: readonly Drawn[], above: string): void => {
      const isSame =
        above === '' &&
        isSameSize(size, sizeOf(stream)) &&
        next.length === drawn.length &&
        next.every(({ text }, i) => text === drawn[i]?.text);
      // A terminal behind a slow line gets fewer pictures, not later ones.
      if (isSame || (above === '' && stream.writableNeedDrain === true)) return;
      const start = home();
      const cleared = above === '' ? '' : `${csi}0J${above}`;
      const rows = next.map(({ text }) => `${csi}2K${text}\n`).join('');
      stream.write(`${hide}${start}${cleared}${noWrap}${rows}${csi}0J${wrap}${show}`);
      drawn = next;
    },
    erase: (): void => {
      if (drawn.length > 0) stream.write(`${home()}${csi}0J`);
      drawn = [];
    },
  };
}

const isSameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;
