import { joinPointer, splitPointer } from '../core/pointer.ts';

/** One spelling per field: `url` for `/url`, `/config/url` for what lies deeper. */
export function fieldName(nameOrPointer: string): string {
  const parts = splitPointer(nameOrPointer);
  const [only] = parts;
  return parts.length === 1 && only !== undefined && only !== '' && !only.startsWith('/') ? only : joinPointer(parts);
}
