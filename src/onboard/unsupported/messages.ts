import type { Service } from './service.ts';

/** Channels to people and between browsers. */
export const messages: readonly Service[] = [
  {
    name: 'pusher',
    title: 'Pusher',
    detect: {
      dependencies: ['pusher', 'pusher-js'],
      env: ['PUSHER_APP_ID', 'PUSHER_KEY', 'NEXT_PUBLIC_PUSHER_KEY', 'NEXT_PUBLIC_PUSHER_APP_KEY'],
    },
  },
  {
    name: 'liveblocks',
    title: 'Liveblocks',
    detect: {
      dependencies: ['@liveblocks/client', '@liveblocks/node', '@liveblocks/react'],
      env: ['LIVEBLOCKS_SECRET_KEY', 'NEXT_PUBLIC_LIVEBLOCKS_PUBLIC_KEY'],
    },
  },
  {
    name: 'livekit',
    title: 'LiveKit',
    detect: { dependencies: ['livekit-server-sdk', '@livekit/components-react'], env: ['LIVEKIT_URL', 'LIVEKIT_API_KEY'] },
  },
  {
    name: 'stream',
    title: 'Stream',
    detect: {
      dependencies: ['stream-chat', 'getstream', 'stream-chat-react'],
      env: ['STREAM_API_KEY', 'NEXT_PUBLIC_STREAM_API_KEY', 'NEXT_PUBLIC_STREAM_KEY'],
    },
  },
  {
    name: 'knock',
    title: 'Knock',
    detect: { dependencies: ['@knocklabs/node', '@knocklabs/react'], env: ['KNOCK_API_KEY', 'KNOCK_SECRET_API_KEY'] },
  },
  {
    name: 'novu',
    title: 'Novu',
    detect: { dependencies: ['@novu/node', '@novu/api', '@novu/framework', '@novu/react'], env: ['NOVU_SECRET_KEY', 'NOVU_API_KEY'] },
  },
  {
    name: 'onesignal',
    title: 'OneSignal',
    detect: {
      dependencies: ['@onesignal/node-onesignal', 'react-onesignal', 'react-native-onesignal'],
      env: ['ONESIGNAL_APP_ID', 'NEXT_PUBLIC_ONESIGNAL_APP_ID'],
    },
  },
  {
    name: 'slack',
    title: 'Slack',
    detect: {
      dependencies: ['@slack/bolt', '@slack/events-api', 'slack-bolt'],
      env: ['SLACK_SIGNING_SECRET', 'SLACK_BOT_TOKEN', 'SLACK_CLIENT_ID'],
    },
  },
  {
    name: 'intercom',
    title: 'Intercom',
    detect: {
      dependencies: ['intercom-client', '@intercom/messenger-js-sdk', 'react-use-intercom'],
      env: ['INTERCOM_ACCESS_TOKEN', 'NEXT_PUBLIC_INTERCOM_APP_ID'],
    },
  },
  {
    name: 'brevo',
    title: 'Brevo',
    detect: { dependencies: ['@getbrevo/brevo', 'sib-api-v3-sdk'], env: ['BREVO_API_KEY', 'SENDINBLUE_API_KEY'] },
  },
  {
    name: 'amazon_ses',
    title: 'Amazon SES',
    detect: { dependencies: ['@aws-sdk/client-ses', '@aws-sdk/client-sesv2'], env: ['SES_FROM_EMAIL', 'AWS_SES_REGION'] },
  },
  { name: 'loops', title: 'Loops', detect: { dependencies: ['loops'], env: ['LOOPS_API_KEY'] } },
];

/** Jobs, analytics and flags. */
export const jobsAndCounts: readonly Service[] = [
  {
    name: 'trigger_dev',
    title: 'Trigger.dev',
    detect: { files: ['trigger.config.ts'], dependencies: ['@trigger.dev/sdk'], env: ['TRIGGER_SECRET_KEY', 'TRIGGER_ACCESS_TOKEN'] },
  },
  {
    name: 'temporal',
    title: 'Temporal Cloud',
    detect: { dependencies: ['@temporalio/client', '@temporalio/worker', 'temporalio'], env: ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE'] },
  },
  {
    name: 'segment',
    title: 'Segment',
    detect: {
      dependencies: ['@segment/analytics-node', '@segment/analytics-next', 'analytics-node'],
      env: ['SEGMENT_WRITE_KEY', 'NEXT_PUBLIC_SEGMENT_WRITE_KEY'],
    },
  },
  {
    name: 'amplitude',
    title: 'Amplitude',
    detect: {
      dependencies: ['@amplitude/analytics-browser', '@amplitude/analytics-node', '@amplitude/unified'],
      env: ['AMPLITUDE_API_KEY', 'NEXT_PUBLIC_AMPLITUDE_API_KEY'],
    },
  },
  {
    name: 'mixpanel',
    title: 'Mixpanel',
    detect: { dependencies: ['mixpanel', 'mixpanel-browser'], env: ['MIXPANEL_TOKEN', 'NEXT_PUBLIC_MIXPANEL_TOKEN'] },
  },
  { name: 'flipt', title: 'Flipt', detect: { dependencies: ['@flipt-io/flipt', '@openfeature/flipt-provider'], env: ['FLIPT_URL'] } },
  {
    name: 'hypertune',
    title: 'Hypertune',
    detect: { dependencies: ['hypertune', '@flags-sdk/hypertune'], env: ['HYPERTUNE_TOKEN', 'NEXT_PUBLIC_HYPERTUNE_TOKEN'] },
  },
  {
    name: 'devcycle',
    title: 'DevCycle',
    detect: {
      dependencies: ['@devcycle/nodejs-server-sdk', '@devcycle/nextjs-sdk', '@devcycle/react-client-sdk'],
      env: ['DEVCYCLE_SERVER_SDK_KEY', 'NEXT_PUBLIC_DEVCYCLE_CLIENT_SDK_KEY'],
    },
  },
];
