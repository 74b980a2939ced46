import type { Service } from './service.ts';

/** Content and files that previews would share. */
export const content: readonly Service[] = [
  {
    name: 'strapi',
    title: 'Strapi',
    detect: { dependencies: ['@strapi/strapi', '@strapi/client'], env: ['STRAPI_URL', 'STRAPI_API_TOKEN', 'NEXT_PUBLIC_STRAPI_API_URL'] },
  },
  { name: 'directus', title: 'Directus', detect: { dependencies: ['@directus/sdk', 'directus'], env: ['DIRECTUS_URL', 'DIRECTUS_TOKEN'] } },
  {
    name: 'storyblok',
    title: 'Storyblok',
    detect: {
      dependencies: ['storyblok-js-client', '@storyblok/js', '@storyblok/react', '@storyblok/vue', '@storyblok/nuxt', '@storyblok/astro'],
      env: ['STORYBLOK_TOKEN', 'STORYBLOK_ACCESS_TOKEN', 'NEXT_PUBLIC_STORYBLOK_TOKEN'],
    },
  },
  {
    name: 'prismic',
    title: 'Prismic',
    detect: {
      files: ['slicemachine.config.json'],
      dependencies: ['@prismicio/client', '@prismicio/react', '@prismicio/next'],
      env: ['PRISMIC_ACCESS_TOKEN', 'PRISMIC_REPOSITORY_NAME'],
    },
  },
  { name: 'hygraph', title: 'Hygraph', detect: { dependencies: ['@hygraph/management-sdk'], env: ['HYGRAPH_ENDPOINT', 'HYGRAPH_TOKEN'] } },
  {
    name: 'dato_cms',
    title: 'DatoCMS',
    detect: {
      dependencies: ['@datocms/cma-client-node', 'react-datocms', 'datocms-client'],
      env: ['DATOCMS_API_TOKEN', 'DATOCMS_READONLY_API_TOKEN'],
    },
  },
  {
    name: 'builder_io',
    title: 'Builder',
    detect: {
      dependencies: ['@builder.io/react', '@builder.io/sdk', '@builder.io/sdk-react'],
      env: ['BUILDER_API_KEY', 'NEXT_PUBLIC_BUILDER_API_KEY'],
    },
  },
  {
    name: 'cloudinary',
    title: 'Cloudinary',
    detect: {
      dependencies: ['cloudinary', 'next-cloudinary', '@cloudinary/react', '@cloudinary/url-gen'],
      env: ['CLOUDINARY_URL', 'CLOUDINARY_CLOUD_NAME', 'CLOUDINARY_API_KEY'],
    },
  },
  {
    name: 'uploadthing',
    title: 'UploadThing',
    detect: { dependencies: ['uploadthing', '@uploadthing/react'], env: ['UPLOADTHING_TOKEN', 'UPLOADTHING_SECRET'] },
  },
  {
    name: 'mux',
    title: 'Mux',
    detect: { dependencies: ['@mux/mux-node', '@mux/mux-player-react'], env: ['MUX_TOKEN_ID', 'MUX_WEBHOOK_SECRET'] },
  },
];

/** Shops and payments, whose events go to one address. */
export const payments: readonly Service[] = [
  {
    name: 'paddle',
    title: 'Paddle',
    detect: {
      dependencies: ['@paddle/paddle-node-sdk', '@paddle/paddle-js'],
      env: ['PADDLE_API_KEY', 'PADDLE_WEBHOOK_SECRET', 'PADDLE_NOTIFICATION_WEBHOOK_SECRET'],
    },
  },
  {
    name: 'lemon_squeezy',
    title: 'Lemon Squeezy',
    detect: { dependencies: ['@lemonsqueezy/lemonsqueezy.js'], env: ['LEMONSQUEEZY_API_KEY', 'LEMONSQUEEZY_WEBHOOK_SECRET'] },
  },
  {
    name: 'polar',
    title: 'Polar',
    detect: {
      dependencies: ['@polar-sh/sdk', '@polar-sh/nextjs', '@polar-sh/better-auth'],
      env: ['POLAR_ACCESS_TOKEN', 'POLAR_WEBHOOK_SECRET'],
    },
  },
  {
    name: 'paypal',
    title: 'PayPal',
    detect: {
      dependencies: ['@paypal/react-paypal-js', '@paypal/checkout-server-sdk', '@paypal/paypal-server-sdk'],
      env: ['PAYPAL_CLIENT_ID', 'PAYPAL_WEBHOOK_ID'],
    },
  },
  {
    name: 'plaid',
    title: 'Plaid',
    detect: { dependencies: ['plaid', 'plaid-python', 'react-plaid-link'], env: ['PLAID_CLIENT_ID', 'PLAID_REDIRECT_URI'] },
  },
  {
    name: 'shopify',
    title: 'Shopify',
    detect: {
      files: ['shopify.app.toml'],
      dependencies: ['@shopify/shopify-api', '@shopify/shopify-app-remix', '@shopify/hydrogen'],
      env: ['SHOPIFY_API_KEY', 'SHOPIFY_STORE_DOMAIN', 'PUBLIC_STORE_DOMAIN'],
    },
  },
];
