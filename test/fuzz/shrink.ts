import type { Input, Part } from './kind.ts';

/**
 * A smaller input for which `fails` still holds: whole parts go first, then lines, then ever shorter stretches of bytes.
 * Gives what it has after `budget` tries.
 */
export async function shrink(input: Input, fails: (input: Input) => Promise<boolean>, budget: number): Promise<Input> {
  let best = input;
  let left = budget;
  const attempt = async (parts: readonly Part[]): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    const smaller = { ...best, parts };
    if (!(await fails(smaller))) return false;
    best = smaller;
    return true;
  };

  for (let i = best.parts.length - 1; i >= 0 && best.parts.length > 1; i -= 1) await attempt(best.parts.toSpliced(i, 1));
  for (let i = 0; i < best.parts.length; i += 1) {
    for (const pieces of [linesOf, bytesOf]) {
      const all = pieces(best.parts[i]?.bytes ?? Buffer.alloc(0));
      for (let size = Math.max(1, all.length >> 1); size >= 1 && left > 0; size = size === 1 ? 0 : size >> 1) {
        for (let from = 0; from < all.length && left > 0; ) {
          const kept = all.toSpliced(from, size);
          const old = best.parts[i];
          if (!old) break;
          if (await attempt(best.parts.with(i, { ...old, bytes: Buffer.concat(kept) }))) all.splice(from, size);
          else from += size;
        }
      }
    }
  }
  return best;
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const to = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

const bytesOf = (bytes: Buffer): Buffer[] => Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1));
