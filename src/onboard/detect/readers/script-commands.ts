import { isMap } from '../../../core/json.ts';

/**
 * The programs that the scripts of a manifest start: the first word of each command, behind variables that are set for it. A command
 * may stand inside another one, behind `--` (`doppler run -- next dev`) or in quotes (`concurrently "doppler run" "tsc -w"`).
 */
export function commandsIn(scripts: unknown): readonly string[] {
  const texts = isMap(scripts) ? Object.values(scripts).flat() : [];
  return [...new Set(texts.flatMap((text: unknown) => (typeof text === 'string' ? programsIn(text) : [])))];
}

const programsIn = (script: string): readonly string[] =>
  script
    .slice(0, longest)
    .replace(variable, ' ')
    .split(/[&|;()"'`\n]+|\s--(?=\s)/)
    .flatMap((command) => /^\s*(?:(?:cross-env|env)\s+)*([\w.@/-]+)/.exec(command)?.[1] ?? [])
    .filter((name) => /^\w[\w.-]*$/.test(name));

/** `NAME=value`, with or without quotes around the value. */
const variable = /\b\w+=(?:"[^"]*"|'[^']*'|[^\s"']*)/g;

/** What is longer is no line that a person wrote. */
const longest = 4_000;
