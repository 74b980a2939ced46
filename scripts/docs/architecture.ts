import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Room, rooms, shownArrows } from '../house/rooms.ts';
import { root } from '../tasks.ts';

const begin = '<!-- The rooms: made by `node scripts/docs.ts` from scripts/house/rooms.ts. -->';
const end = '<!-- End of the rooms. -->';

/** ARCHITECTURE.md with the picture and the table of rooms, both from the table of arrows. The rest of the page is written by hand. */
export async function architecturePage(): Promise<string> {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`ARCHITECTURE.md lacks the lines ${begin} and ${end}`);
  return `${text.slice(0, before + begin.length)}\n\n${picture()}\n\n${table()}\n\n${text.slice(after)}`;
}

const nameOf = (room: string): string => (room === 'index' ? 'index.ts' : `${room}/`);

function picture(): string {
  const boxes = Object.entries(rooms).map(([room, { is }]) => `  ${room}["${nameOf(room)}<br>${is}"]`);
  const arrows = shownArrows().map(([from, to]) => `  ${from} --> ${to}`);
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```'].join('\n');
}

function table(): string {
  const rows = Object.entries<Room>(rooms).map(([room, { uses, types = [] }]) => {
    const all = [...uses.map((to) => `\`${to}\``), ...types.map((to) => `\`${to}\` (types)`)];
    return `| \`${nameOf(room)}\` | ${all.join(', ') || 'nothing of ours'} |`;
  });
  return ['| Room | May import |', '| - | - |', ...rows].join('\n');
}
