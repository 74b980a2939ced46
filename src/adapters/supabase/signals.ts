import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Supabase by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: [
        '@supabase/supabase-js',
        '@supabase/ssr',
        '@supabase/auth-js',
        '@supabase/gotrue-js',
        '@supabase/postgrest-js',
        '@supabase/realtime-js',
        '@supabase/storage-js',
        '@supabase/auth-helpers-*',
        '@supabase/auth-ui-*',
        '@supabase-cache-helpers/*',
        '@nuxtjs/supabase',
      ],
      pypi: ['supabase', 'supabase-auth', 'supafunc'],
      go: ['github.com/supabase-community/supabase-go', 'github.com/nedpals/supabase-go'],
      cargo: ['supabase-rs'],
      composer: ['rafaelwendel/phpsupabase'],
      hex: ['supabase_potion', 'supabase_gotrue', 'supabase_storage'],
      maven: ['io.github.jan-tennert.supabase:*'],
      nuget: ['Supabase', 'supabase-csharp'],
      pub: ['supabase', 'supabase_flutter'],
      swift: ['supabase/supabase-swift', 'supabase-community/supabase-swift'],
    },
    variables: ['SUPABASE_*'],
    hosts: ['.supabase.co', '.pooler.supabase.com', 'api.supabase.com', '.supabase.in'],
    files: ['supabase/config.toml'],
    commands: ['supabase'],
    actions: ['supabase/setup-cli'],
    images: ['supabase/*'],
    resources: ['supabase_*'],
  },
  may: { packages: { npm: ['supabase'] } },
};
