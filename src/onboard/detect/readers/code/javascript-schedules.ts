import type { Schedule } from '../../facts.ts';
import { packageOf } from './databases.ts';
import { importsIn } from './javascript-imports.ts';
import type { Code } from './source-code.ts';

/** Packages that run something at times, with the call that says so. */
const timers: { readonly [name: string]: RegExp } = {
  'node-cron': /\bschedule\(/,
  cron: /\bCronJob\b/,
  croner: /\bCron\(/,
  'node-schedule': /\bscheduleJob\(/,
  '@nestjs/schedule': /@(?:Cron|Interval)\(/,
  bullmq: /\brepeat\s*:|\bupsertJobScheduler\(/,
  bull: /\brepeat\s*:/,
  agenda: /\.every\(/,
  'pg-boss': /\.schedule\(/,
  'graphile-worker': /\bcrontab\b/,
  inngest: /\bcron\s*:\s*["'`]/,
  '@trigger.dev/sdk': /\bschedules\.task\(|\bcron\s*:/,
  '@upstash/qstash': /\bschedules\.create\(/,
  '@upstash/workflow': /\bschedules\.create\(/,
  'convex/server': /\bcronJobs\(/,
  toad: /\baddCronJob\(/,
  '@netlify/functions': /\bschedule\(/,
  'firebase-functions': /\bonSchedule\(|\.pubsub\s*\.schedule\(/,
};
const anywhere = /\bdefineTask\(|\bexport\s+const\s+config[^;]{0,200}\bschedule\s*:\s*["'`]|\bDeno\.cron\(|\basync\s+scheduled\s*\(/g;
const mayHave = /cron|schedule|\.every\(|repeat/i;

/** The places in a file of JavaScript or TypeScript that run something at times. */
export function schedulesOfJavascript(code: Code): readonly Schedule[] {
  const { text, path: file, use } = code;
  if (use === 'develop' || !mayHave.test(text)) return [];
  const found: number[] = [];
  for (const module of new Set(importsIn(text).values())) {
    const at = (timers[module] ?? timers[packageOf(module)])?.exec(text)?.index;
    if (at !== undefined) found.push(at);
  }
  for (const match of text.matchAll(anywhere)) found.push(match.index);
  return found.filter((at) => !code.isQuoted(at)).map((at) => ({ file, line: code.lineAt(at), by: 'code' }));
}
