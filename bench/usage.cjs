// Loaded before a measured program: tells on its fourth descriptor what it used, as nobody else can know once it is gone.
const { readFileSync, writeSync } = require('node:fs');

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { cpu_ms: (userCPUTime + systemCPUTime) / 1000, rss_mb: maxRSS / 1024, waited_ms: waited() };
  writeSync(3, JSON.stringify(used));
});

// How long the main thread was ready to run and had no core, where the system tells (Linux): what other programs cost this one.
function waited() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
