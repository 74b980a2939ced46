import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Amazon Route 53 by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: {
      npm: ['@aws-sdk/client-route-53', '@aws-cdk/aws-route53'],
      rubygems: ['aws-sdk-route53'],
      go: ['github.com/aws/aws-sdk-go-v2/service/route53'],
      cargo: ['aws-sdk-route53'],
      maven: ['software.amazon.awssdk:route53', 'com.amazonaws:aws-java-sdk-route53'],
      nuget: ['AWSSDK.Route53'],
    },
    variables: ['ROUTE53_HOSTED_ZONE_ID', 'ROUTE53_ZONE_ID', 'AWS_HOSTED_ZONE_ID', 'ROUTE53_DOMAIN', 'AWS_ENDPOINT_URL_ROUTE_53'],
    resources: [
      'aws_route53_*',
      'AWS::Route53::*',
      'aws-cdk-lib/aws-route53',
      'aws-cdk-lib/aws-route53-targets',
      'Aws.Route53',
      'aws.route53',
    ],
  },
  may: { variables: ['HOSTED_ZONE_ID'], hosts: ['route53.amazonaws.com'] },
};
