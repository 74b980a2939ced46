import { type Refusal, refuse } from '../kit/index.ts';

export const refusal = (status: number, message: string): Refusal => refuse(status, { message });

/** A rule for all environments has no list of them, and one that says neither is for all. */
export const environmentsOf = ({ allEnvironments, environments }: Record<string, unknown>) =>
  allEnvironments === true || (allEnvironments === undefined && environments === undefined)
    ? { allEnvironments: true, environments: [] }
    : { allEnvironments: false, environments };

/** A value as the type of its feature has it, always a text. JSON may be loose, as in `{colour: 'blue'}`, and is kept strict. */
export function keptValue(valueType: string, value: string, at: string): string {
  if (valueType === 'boolean') return value === 'false' || value === '' ? 'false' : 'true';
  if (valueType === 'number' && !/^-?\d+(\.\d+)?$/.test(value)) throw refusal(400, `${at}: Must be a valid number`);
  if (valueType !== 'json') return value;
  const strict = value.replaceAll("'", '"').replaceAll(/([{,]\s*)(\w+)\s*:/g, '$1"$2":');
  try {
    return JSON.stringify(JSON.parse(strict));
  } catch {
    throw refusal(400, `${at}: Must be valid JSON`);
  }
}
