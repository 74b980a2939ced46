import { type LoadOptions, type PlanReading, planFromYaml } from './load.ts';
import { readYaml } from './read-yaml.ts';

/** The plan that a text holds, read at once: for what edits plans. A run reads its file with `readPlan`. */
export function planFromText(text: string, options: LoadOptions): PlanReading {
  return planFromYaml(readYaml(text, options.display), options);
}
