#!/usr/bin/env node
// This entry uses only syntax that old versions of Node parse, imports nothing statically, and checks the version first. Otherwise newer
// syntax in any module would end in a stack trace instead of a sentence.
const [major, minor] = process.versions.node.split('.').map(Number);
if (Number(major) > 22 || (major === 22 && Number(minor) >= 19)) {
  import('../cli/compile-cache.ts')
    .then((cache) => cache.keepCompiled(process.env))
    .then(() => import('./launch.ts'))
    .then(
      (program) => program.launch(import.meta.url),
      (error) => {
        process.stderr.write(`pilotfish-mcp could not be loaded: ${error}\n`);
        process.exitCode = 1;
      },
    );
} else {
  process.stderr.write(`pilotfish-mcp needs Node 22.19 or later, and this is Node ${process.versions.node}.\n`);
  process.exitCode = 2;
}
