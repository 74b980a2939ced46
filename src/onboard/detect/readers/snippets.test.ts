import { expect, it } from 'vitest';
import { namesOf, readAll } from '../../../../test/support/readings.ts';
import { work } from '../../../../test/support/work.ts';
import { addressReaders } from './addresses.ts';

const asked = {
  snippets: [
    '_paq.push',
    "fbq('init'",
    'GTM-????*',
    'UA-#-#',
    'docsearch({',
    'data-domain= .. /js/script.',
    '/js/script. .. data-domain=',
    '/_vercel/insights/',
  ],
};
const found = async (path: string, text: string) => namesOf(await readAll(addressReaders, path, text, asked), 'snippet');

it.each<[string, string, readonly string[]]>([
  ['app/views/layouts/application.html.erb', "<script>window._paq.push(['trackPageView'])</script>", ['_paq.push']],
  ['lib/web/root.html.heex', '<script>fbq( "init", "<%= @id %>")</script>', ["fbq('init'"]],
  ['resources/head.blade.php', "<script>(function(w,l,i){})(window,'dataLayer','GTM-AB12CD');</script>", ['GTM-????*']],
  ['_config.yml', 'analytics:\n  id: UA-4455667-2\n', ['UA-#-#']],
  [
    'views/page.gohtml',
    '<script defer data-domain="a.example" src="https://stats.a.example/js/script.js"></script>',
    ['data-domain= .. /js/script.'],
  ],
  ['src/App.jsx', '<script src="https://s.a.example/js/script.outbound.js" data-domain="a.example" />', ['/js/script. .. data-domain=']],
  ['Pages/_Layout.cshtml', '<script>docsearch({ appId: "x" })</script>', ['docsearch({']],
  ['server/routes.ts', "proxy('/_vercel/insights/script.js')", ['/_vercel/insights/']],
  ['src/data.json', '{"code":"fbq(\\"init\\", 1)"}', ["fbq('init'"]],
])('a snippet in %s: %s', async (path, text, signals) => expect(await found(path, text)).toEqual(signals));

it.each<[string, string]>([
  ['a.html', '<!-- <script>_paq.push([])</script> -->'],
  ['a.cshtml', '@* <script>_paq.push([])</script> *@'],
  ['a.twig', '{# _paq.push([]) #}'],
  ['a.ejs', '<%# _paq.push([]) %>'],
  ['a.ts', '// _paq.push([])'],
  ['a.ts', "const id = 'GTM-XXXXXX';"],
  ['a.ts', "const id = 'MYGTM-AB12CD', other = 'GTM-ab12cd', third = 'A-UA-12-3';"],
  ['a.html', '<div data-domain="x"></div><script src="/js/script.js"></script>'],
  ['docs/a.html', '<script>_paq.push([])</script>'],
])('no snippet in %s: %s', async (path, text) => expect(await found(path, text)).toEqual([]));

it('a long file without an end costs little', async () => {
  for (const part of ['_paq.push', 'data-domain= ', '/js/script. ', "fbq('init'", 'GTM-A', '{{!', '<%#', '@*'])
    expect(await work(() => found('a.html', part.repeat(200_000))), part).toBeLessThan(10_000);
});
