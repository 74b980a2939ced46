import { describe, expect, it } from 'vitest';
import type { Files } from './lay-files.ts';
import { surveyOf } from './survey-of.ts';

const services = {
  stripe: { uses: { variables: ['STRIPE_*'] } },
  slack: { uses: { variables: ['SLACK_WEBHOOK', 'SLACK_WEBHOOK_URL'] }, may: { variables: ['SLACK_*'] } },
  plausible: { uses: { variables: ['PLAUSIBLE_*'] } },
  recaptcha: { uses: { variables: ['RECAPTCHA_*'] } },
  tag_manager: { uses: { variables: ['GOOGLE_TAG_MANAGER_ID'] } },
  github_oauth: { uses: { variables: ['GITHUB_CLIENT_ID'] } },
  supabase: { uses: { variables: ['SUPABASE_*'] } },
  square: { uses: { variables: ['SQUARE_TOKEN'] } },
};

const found = async (names: readonly string[], more: Files = {}): Promise<readonly string[]> => {
  const code = `export const all = [${names.map((name) => `process.env.${name}`).join(', ')}];`;
  const files = { 'package.json': '{"dependencies":{"next":"15"}}', 'src/settings.ts': code, ...more };
  return (await surveyOf(files, services)).claims.map(({ service }) => service);
};

describe('the name of a variable tells of a service', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'behind the beginning that all names of the app have',
      ['SHOP_URL', 'SHOP_NAME', 'SHOP_PLAUSIBLE_URL', 'SHOP_COLOUR', 'SHOP_PAGE'],
      ['plausible'],
    ],
    [
      'behind a beginning of two words',
      ['GO_FAIR_A', 'GO_FAIR_B', 'GO_FAIR_C', 'GO_FAIR_GOOGLE_TAG_MANAGER_ID', 'GO_FAIR_D'],
      ['tag_manager'],
    ],
    ['behind the name of a framework', ['DJANGO_RECAPTCHA_SITE_KEY', 'DJANGO_ALLOWED'], ['recaptcha']],
    ['behind a word that tells accounts apart', ['ALERTS_SLACK_WEBHOOK'], ['slack']],
    ['with what a service is reached with', ['BILLING_STRIPE_SECRET_KEY'], ['stripe']],
    ['as one of GitHub that its runner does not set', ['GITHUB_CLIENT_ID'], ['github_oauth']],
  ])('%s', async (_, names, expected) => expect(await found(names)).toEqual(expected));

  it.each<[string, readonly string[]]>([
    ['with a hint at its end', ['ALERTS_SLACK_COLOUR']],
    ['with a word of a service and no credential', ['BILLING_STRIPE_LIMIT']],
    ['behind words of tests', ['E2E_SLACK_WEBHOOK']],
    ['that begins with a word of anything', ['TOWN_SQUARE_TOKEN']],
    ['behind a beginning that few names have', ['SHOP_PLAUSIBLE_URL', 'SHOP_A', 'OTHER', 'ONE_MORE']],
  ])('but not %s', async (_, names) => expect(await found(names)).toEqual([]));

  it.each<[string, Files, readonly string[]]>([
    ['in settings of Spring', { 'src/main/resources/application.yml': 'shop:\n  plausible:\n    api-key: a\n' }, ['plausible']],
    ['in settings of ASP.NET', { 'appsettings.json': '{"Tools":{"Supabase":{"ServiceKey":"", "ApiKey":""}}}' }, ['supabase']],
    ['in credentials of Rails', { 'config/a.rb': 'Rails.application.credentials.dig(:stripe, :secret_key)' }, ['stripe']],
    ['and not in a link', { 'src/main/resources/application.yml': 'links:\n  stripe:\n    url: a\n' }, []],
  ])('as a key %s', async (_, files, expected) => expect(await found([], files)).toEqual(expected));

  it('but not behind the name of another service', async () => {
    expect(await found(['SUPABASE_AUTH_GITHUB_CLIENT_ID', 'AUTH_SUPABASE_GITHUB_CLIENT_ID'])).toEqual(['supabase']);
  });
});
