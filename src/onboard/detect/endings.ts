/**
 * The endings that a pattern for paths allows, as `FactReader.endings` has them: `ya?ml` and `json` of `/\.(?:ya?ml|json)$/`. A pattern of
 * another form gives `undefined`, so that its reader is asked about every file.
 */
export function endingsOf(pattern: RegExp): readonly string[] | undefined {
  const alternatives = pattern.source.split(/(?<=\$)\|/);
  const found = alternatives.map((alternative) => {
    const tail = /\\\.(?:\(\?:([a-z?|]+)\)|([a-z?]+))\$$/.exec(alternative);
    return tail ? (tail[1] ?? tail[2] ?? '').split('|').flatMap(spelled) : undefined;
  });
  return found.every((one) => one !== undefined) ? [...new Set(found.flat())] : undefined;
}

/** `ya?ml` means `yaml` and `yml`. */
function spelled(word: string): readonly string[] {
  const [, before = '', letter = '', after = ''] = /^([a-z]*)([a-z])\?(.*)$/.exec(word) ?? [];
  return letter === '' ? [word] : [before + letter + after, before + after].flatMap(spelled);
}
