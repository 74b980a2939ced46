import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

/** The script and the style of the page, as the build makes them for a browser. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
}

/** Beside this file, and beside the program in its package. */
export const partsPlace = new URL('./page-parts/page.json', import.meta.url);

/** Sends the page: one document, which asks nobody but this sandbox for anything. `token` is what its orders show. */
export function sendPage(response: ServerResponse, token: string): void {
  const { script, style }: PageParts = JSON.parse(readFileSync(partsPlace, 'utf8'));
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="sandbox-token" content="${token}">
<title>pilotfish sandbox</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<a class="skip" href="#providers">Skip to the providers</a>
<header>
<h1>Sandbox</h1>
<p id="sum" class="muted">Every provider, simulated on this machine.</p>
<p id="link" role="status">connecting</p>
</header>
<main>
<section id="faults" aria-labelledby="faults-head">
<h2 id="faults-head">Make trouble</h2>
<div class="row">
<label for="place">At</label>
<select id="place"><option value="*">every provider</option></select>
<div id="switches" role="group" aria-labelledby="faults-head"></div>
</div>
<p id="armed" class="muted small" role="status"></p>
</section>
<div class="columns">
<section id="providers" aria-labelledby="providers-head" tabindex="-1">
<div class="head"><h2 id="providers-head">What the providers hold</h2>
<label for="filter" class="unseen">Find a provider or an object</label>
<input id="filter" type="search" placeholder="Find a provider or an object" autocomplete="off" spellcheck="false"></div>
<div id="list"></div>
</section>
<section id="requests" aria-labelledby="requests-head">
<div class="head"><h2 id="requests-head">What was sent</h2>
<label class="check"><input id="writes" type="checkbox"> only writes</label></div>
<div class="scroll" tabindex="0" role="group" aria-label="Requests, the latest first">
<table><thead><tr><th scope="col">Time</th><th scope="col">Provider</th><th scope="col">Request</th><th scope="col">Answer</th></tr></thead><tbody id="sent"></tbody></table>
<p id="none" class="muted">Nothing yet. Run a command in the sandbox.</p>
</div>
</section>
</div>
</main>
<noscript><p>The page needs its script to show what happens.</p></noscript>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`);
}
