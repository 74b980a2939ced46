import type { Http } from '../../http/types.ts';

/** Equal for lines that one request may serve: the same credential and the same headers at the same API. */
export const accessOf = ({ access, block }: Http): string => access ?? JSON.stringify(block);
