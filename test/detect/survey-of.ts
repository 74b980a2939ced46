import type { Service } from '../../src/onboard/detect/service.ts';
import type { Survey } from '../../src/onboard/detect/survey.ts';
import { survey } from '../../src/onboard/detect/take-survey.ts';
import type { Detect } from '../../src/ops/detect.ts';
import { type Files, layFiles } from './lay-files.ts';

export interface Detects {
  readonly [name: string]: Detect;
}

/** Services that are looked for by these signals. */
export const servicesOf = (detects: Detects): readonly Service[] =>
  Object.entries(detects).map(([name, detect]) => ({
    name,
    from: 'adapter',
    signals: detect,
    ids: detect.ids ?? [],
    isHost: false,
    isEngine: false,
    engines: [],
  }));

/** Looks at these files for these services. */
export const surveyOf = async (files: Files, detects: Detects = {}): Promise<Survey> =>
  await survey(await layFiles(files), servicesOf(detects));

/** What a survey says that the repository uses, without the facts behind it. */
export const claimed = ({ claims }: Survey) =>
  claims.map(({ service, evidence, ids, unclear }) => ({ name: service, evidence, ids, unclear }));
