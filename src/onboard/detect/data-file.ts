import { parse } from 'yaml';
import { readJsonc } from './read-json.ts';
import { readToml } from './read-toml.ts';

/** The value that a settings file holds, by its name: TOML, YAML, else JSON with comments. `undefined` where it is broken. */
export function readDataFile(file: string, text: string): unknown {
  try {
    if (file.endsWith('.toml')) return readToml(text).value;
    if (/\.ya?ml$/.test(file)) return parse(text, { logLevel: 'silent', prettyErrors: false });
    return readJsonc(text);
  } catch {
    // The tool that the file belongs to says what is wrong with it; here it is only one of several places to find an id.
    return undefined;
  }
}
