import { createBoard, type Progress } from './progress-board.ts';
import { type Drawn, picture } from './progress-picture.ts';
import type { Styles } from './styles.ts';

/** The part of a terminal that drawing needs. */
export interface LiveScreen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** The terminal has not taken all earlier writes yet. */
  readonly writableNeedDrain?: boolean;
  write(text: string): unknown;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

export interface LiveOptions {
  readonly stream: LiveScreen;
  readonly styles: Styles;
  readonly now: () => number;
  /** No report follows here, so the last picture must stay. */
  readonly staysAtEnd?: boolean;
  /** Calls `draw` again and again until the returned function is called; tests draw themselves. */
  readonly repeat?: (draw: () => void) => () => void;
}

const csi = '\u001b[';
/** A terminal may draw a row wider than we count. Without wrapping it cuts the row instead of taking a second one. */
const [noWrap, wrap] = [`${csi}?7l`, `${csi}?7h`];
const [hide, show] = [`${csi}?25l`, `${csi}?25h`];

/**
 * Draws the picture of a run, and draws over it again. If a report follows, the picture is erased at the end, because the report says more.
 * Each write switches back every terminal mode that it switched: a process that is killed at any moment leaves the terminal whole.
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

/** The rows above the cursor that the picture owns. */
function createCanvas(stream: LiveScreen) {
  let drawn: readonly Drawn[] = [];
  let size = sizeOf(stream);
  /** Rows of the picture that a smaller window pushed out of its top. A window that grows gives them back. */
  let pushedOut = 0;

  /** The cursor's way to the first row. A window that changed its width has wrapped the old rows anew. */
  const home = (): string => {
    const before = size;
    size = sizeOf(stream);
    const rows = drawn.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / size.width)), 0);
    const back = Math.min(pushedOut, Math.max(0, size.height - before.height));
    pushedOut += Math.max(0, rows + 1 - size.height) - back;
    const up = Math.min(rows + back, size.height - 1);
    // The terminal echoes a Ctrl-C at the cursor, so the cursor may be in any column.
    return up > 0 ? `\r${csi}${up}A` : '\r';
  };

  return {
    draw: (next: readonly Drawn[], above: string): void => {
      const isSame =
        above === '' &&
        isSameSize(size, sizeOf(stream)) &&
        next.length === drawn.length &&
        next.every(({ text }, i) => text === drawn[i]?.text);
      // A slow terminal gets fewer pictures, not late ones.
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
