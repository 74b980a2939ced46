import type { Detect } from '../../ops/detect.ts';
import type { Adapter } from '../../ops/op.ts';
import { record } from './record.ts';
import { signals } from './signals.ts';
import { zone } from './zone.ts';

/** `init` recognises Route 53 by this. A first plan has a name for each preview. */
const detect: Detect = {
  ...signals,
  draft: [
    {
      id: 'name',
      op: 'record',
      comment: 'A name of the zone that leads to the preview.',
      params: { name: '${ctx.scope}.your-domain.com', type: 'CNAME', values: [{ of: 'preview.host' }], ttl: 60 },
      todo: { name: 'the domain of the zone in place of your-domain.com; whoever hosts the preview must know the name, too.' },
    },
  ],
};

/** Amazon Route 53: DNS records of hosted zones. */
export const route53: Adapter = {
  name: 'route53',
  title: 'Amazon Route 53',
  docs: 'https://docs.aws.amazon.com/Route53/latest/APIReference/API_ChangeResourceRecordSets.html',
  provider: {
    base_url: 'https://route53.amazonaws.com',
    // The variable is that of the vendor's own clients.
    base_url_env: 'AWS_ENDPOINT_URL_ROUTE_53',
    auth: { aws_v4: { access_key_id_env: 'AWS_ACCESS_KEY_ID', secret_access_key_env: 'AWS_SECRET_ACCESS_KEY', service: 'route53' } },
    // A global service, whose requests are signed for this region wherever they come from (2026-11-27).
    region: 'us-east-1',
    session_token_env: 'AWS_SESSION_TOKEN',
    encoding: 'xml',
    // An account has five requests a second, and a zone one change at a time (2026-11-27).
    concurrency: 1,
  },
  setup: {
    page: 'https://console.aws.amazon.com/iam/home#/users',
    needs:
      'A key with route53:ListResourceRecordSets and route53:ChangeResourceRecordSets on the hosted zone, and route53:GetChange on arn:aws:route53:::change/*; route53:ListHostedZonesByName where the plan looks a zone up by its name.',
    // Without the id of a zone the only read is that of all zones, a permission that a record does not need.
    check: null,
    check_by: [
      { method: 'GET', path: '/2013-04-01/hostedzone/{hosted_zone_id}/rrset', query: { maxitems: '1' }, ops: ['record'] },
      { method: 'GET', path: '/2013-04-01/hostedzonesbyname', query: { dnsname: '{name}', maxitems: '1' }, ops: ['zone'] },
    ],
  },
  detect,
  ops: { record, zone },
};
