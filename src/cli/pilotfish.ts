#!/usr/bin/env node
// This entry uses only syntax that old versions of Node parse, imports nothing statically, and checks the version first. Otherwise newer
// syntax in any module would end in a stack trace instead of a sentence.
const [major, minor] = process.versions.node.split('.').map(Number);
if (Number(major) > 22 || (major === 22 && Number(minor) >= 19)) {
  import('./compile-cache.ts')
    .then((cache) => cache.keepCompiled(process.env))
    .then(() => import('./process.ts'))
    .then(
      (program) => program.start(),
      (error) => {
        process.stderr.write(`pilotfish could not be loaded: ${error}\n`);
        process.exitCode = 1;
      },
    );
} else {
  const detail = `pilotfish needs Node 22.19 or later, and this is Node ${process.versions.node}.`;
  if (process.argv.indexOf('--json') < 0) process.stderr.write(`${detail}\n`);
  else {
    const error = { code: 'USAGE', summary: 'The command line is wrong', detail, fix: 'Run it with Node 22.19 or later.' };
    process.stdout.write(`${JSON.stringify({ schema: 1, ok: false, command: 'pilotfish', error }, null, 2)}\n`);
  }
  process.exitCode = 2;
}
