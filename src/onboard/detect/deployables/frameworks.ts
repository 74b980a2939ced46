import type { Ecosystem } from '../../../ops/signals.ts';
import type { Deployable, Unit } from '../survey.ts';

type Kind = Deployable['kind'];

/** What a framework deploys. */
export interface Framework {
  readonly name: string;
  readonly kind: Kind;
  /** A tool that others also build with, or a library that apps of several kinds use: the rest of the unit must show an app. */
  readonly isWeak?: boolean;
}

type Row = readonly [ecosystem: Ecosystem, packages: string, name: string, kind: Kind, isWeak?: 'weak'];

/** In each ecosystem the first that a manifest lists counts, so what builds on another stands before it. `*` ends a beginning. */
const rows: readonly Row[] = [
  ['npm', 'expo', 'expo', 'mobile'],
  ['npm', 'electron', 'electron', 'desktop'],
  ['npm', '@tauri-apps/cli', 'tauri', 'desktop'],
  ['npm', 'next', 'next', 'web'],
  ['npm', 'nuxt nuxt3 nuxt-nightly', 'nuxt', 'web'],
  ['npm', '@sveltejs/kit', 'sveltekit', 'web'],
  ['npm', '@react-router/node @react-router/serve @react-router/dev @react-router/express @react-router/cloudflare', 'react-router', 'web'],
  ['npm', '@remix-run/node @remix-run/react @remix-run/serve @remix-run/dev @remix-run/cloudflare @vercel/remix', 'remix', 'web'],
  ['npm', '@tanstack/react-start @tanstack/start @tanstack/solid-start', 'tanstack-start', 'web'],
  ['npm', '@solidjs/start solid-start', 'solid-start', 'web'],
  ['npm', '@builder.io/qwik-city @qwik.dev/router', 'qwik', 'web'],
  ['npm', '@redwoodjs/core rwsdk', 'redwood', 'web'],
  ['npm', 'wasp blitz', 'blitz', 'web'],
  ['npm', 'waku', 'waku', 'web'],
  ['npm', 'astro', 'astro', 'static'],
  ['npm', 'fresh @fresh/core', 'fresh', 'web'],
  ['npm', '@strapi/strapi', 'strapi', 'web'],
  ['npm', 'directus', 'directus', 'web'],
  ['npm', '@keystone-6/core', 'keystone', 'web'],
  ['npm', '@medusajs/medusa @medusajs/framework', 'medusa', 'web'],
  ['npm', '@vendure/core', 'vendure', 'web'],
  ['npm', '@adonisjs/core', 'adonis', 'web'],
  ['npm', '@nestjs/core', 'nest', 'web'],
  ['npm', 'gatsby', 'gatsby', 'static'],
  ['npm', '@docusaurus/core', 'docusaurus', 'static'],
  ['npm', 'vitepress', 'vitepress', 'static'],
  ['npm', '@11ty/eleventy', 'eleventy', 'static'],
  ['npm', 'react-native', 'react-native', 'mobile'],
  ['npm', 'nitropack', 'nitro', 'web'],
  ['npm', 'fastify', 'fastify', 'web'],
  ['npm', 'hono', 'hono', 'web'],
  ['npm', 'express', 'express', 'web'],
  ['npm', 'koa', 'koa', 'web'],
  ['npm', '@hapi/hapi', 'hapi', 'web'],
  ['npm', 'elysia', 'elysia', 'web'],
  ['npm', '@feathersjs/feathers', 'feathers', 'web'],
  ['npm', 'sails', 'sails', 'web'],
  ['npm', 'itty-router', 'itty-router', 'function'],
  ['npm', '@apollo/server apollo-server graphql-yoga', 'graphql-server', 'web'],
  ['npm', 'parse-server', 'parse-server', 'web'],
  ['npm', '@angular/core', 'angular', 'static'],
  ['npm', 'react-scripts', 'create-react-app', 'static'],
  ['npm', '@vue/cli-service', 'vue-cli', 'static'],
  ['npm', '@quasar/app-vite @quasar/app-webpack', 'quasar', 'static'],
  ['npm', '@ionic/angular @ionic/react @ionic/vue @capacitor/core', 'ionic', 'mobile'],
  ['npm', 'ember-source', 'ember', 'static'],
  ['npm', 'discord.js', 'discord.js', 'worker', 'weak'],
  ['npm', 'telegraf grammy', 'telegram-bot', 'worker', 'weak'],
  ['npm', '@slack/bolt', 'slack-bolt', 'web', 'weak'],
  ['npm', 'probot', 'probot', 'web', 'weak'],
  ['npm', 'vite', 'vite', 'static', 'weak'],
  ['npm', 'parcel', 'parcel', 'static', 'weak'],
  ['npm', 'webpack-dev-server', 'webpack', 'static', 'weak'],
  ['pypi', 'django', 'django', 'web'],
  ['pypi', 'fastapi', 'fastapi', 'web'],
  ['pypi', 'flask', 'flask', 'web'],
  ['pypi', 'pyramid', 'pyramid', 'web'],
  ['pypi', 'litestar', 'litestar', 'web'],
  ['pypi', 'quart', 'quart', 'web'],
  ['pypi', 'sanic', 'sanic', 'web'],
  ['pypi', 'starlette', 'starlette', 'web'],
  ['pypi', 'tornado', 'tornado', 'web', 'weak'],
  ['pypi', 'aiohttp', 'aiohttp', 'web', 'weak'],
  ['pypi', 'streamlit', 'streamlit', 'web'],
  ['pypi', 'gradio', 'gradio', 'web'],
  ['pypi', 'reflex', 'reflex', 'web'],
  ['pypi', 'chalice', 'chalice', 'function'],
  ['pypi', 'celery', 'celery', 'worker', 'weak'],
  ['pypi', 'discord-py', 'discord.py', 'worker', 'weak'],
  ['pypi', 'python-telegram-bot aiogram', 'telegram-bot', 'worker', 'weak'],
  ['rubygems', 'rails', 'rails', 'web'],
  ['rubygems', 'hanami', 'hanami', 'web'],
  ['rubygems', 'bridgetown', 'bridgetown', 'static'],
  ['rubygems', 'jekyll github-pages', 'jekyll', 'static'],
  ['rubygems', 'middleman', 'middleman', 'static'],
  ['rubygems', 'sinatra', 'sinatra', 'web'],
  ['rubygems', 'roda', 'roda', 'web'],
  ['rubygems', 'grape', 'grape', 'web'],
  ['go', 'github.com/gin-gonic/gin', 'gin', 'web'],
  ['go', 'github.com/labstack/echo', 'echo', 'web'],
  ['go', 'github.com/gofiber/fiber', 'fiber', 'web'],
  ['go', 'github.com/go-chi/chi', 'chi', 'web'],
  ['go', 'github.com/gorilla/mux', 'gorilla', 'web'],
  ['go', 'github.com/beego/beego', 'beego', 'web'],
  ['go', 'github.com/gobuffalo/buffalo', 'buffalo', 'web'],
  ['go', 'github.com/danielgtaylor/huma', 'huma', 'web'],
  ['go', 'connectrpc.com/connect', 'connect', 'web'],
  ['go', 'github.com/pocketbase/pocketbase', 'pocketbase', 'web'],
  ['go', 'encore.dev', 'encore', 'web'],
  ['go', 'github.com/aws/aws-lambda-go', 'aws-lambda', 'function'],
  ['go', 'google.golang.org/grpc', 'grpc', 'web', 'weak'],
  ['cargo', 'tauri', 'tauri', 'desktop'],
  ['cargo', 'loco-rs', 'loco', 'web'],
  ['cargo', 'leptos', 'leptos', 'web'],
  ['cargo', 'dioxus', 'dioxus', 'web', 'weak'],
  ['cargo', 'axum', 'axum', 'web'],
  ['cargo', 'actix-web', 'actix', 'web'],
  ['cargo', 'rocket', 'rocket', 'web'],
  ['cargo', 'poem', 'poem', 'web'],
  ['cargo', 'salvo', 'salvo', 'web'],
  ['cargo', 'warp', 'warp', 'web'],
  ['cargo', 'worker', 'workers-rs', 'function'],
  ['cargo', 'lambda_http lambda_runtime', 'aws-lambda', 'function'],
  ['composer', 'laravel/framework', 'laravel', 'web'],
  ['composer', 'symfony/framework-bundle symfony/symfony', 'symfony', 'web'],
  ['composer', 'drupal/core drupal/core-recommended', 'drupal', 'web'],
  ['composer', 'roots/wordpress johnpbloch/wordpress johnpbloch/wordpress-core', 'wordpress', 'web'],
  ['composer', 'craftcms/cms', 'craft', 'web'],
  ['composer', 'statamic/cms', 'statamic', 'web'],
  ['composer', 'typo3/cms-core', 'typo3', 'web'],
  ['composer', 'slim/slim', 'slim', 'web'],
  ['composer', 'cakephp/cakephp', 'cakephp', 'web'],
  ['composer', 'codeigniter4/framework', 'codeigniter', 'web'],
  ['composer', 'yiisoft/yii2', 'yii', 'web'],
  ['composer', 'laravel/lumen-framework', 'lumen', 'web'],
  ['hex', 'phoenix', 'phoenix', 'web'],
  ['hex', 'plug_cowboy bandit', 'plug', 'web'],
  ['hex', 'nerves', 'nerves', 'desktop'],
  [
    'maven',
    'org.springframework.boot:spring-boot-starter-web* org.springframework.boot:spring-boot-starter-graphql org.springframework.boot:spring-boot-starter-jersey',
    'spring-boot',
    'web',
  ],
  ['maven', 'io.quarkus:*', 'quarkus', 'web'],
  ['maven', 'io.micronaut:*', 'micronaut', 'web'],
  ['maven', 'io.ktor:ktor-server*', 'ktor', 'web'],
  ['maven', 'io.javalin:javalin', 'javalin', 'web'],
  ['maven', 'io.vertx:vertx-web', 'vertx', 'web'],
  ['maven', 'io.helidon*', 'helidon', 'web'],
  ['maven', 'io.dropwizard:dropwizard-core', 'dropwizard', 'web'],
  ['maven', 'com.typesafe.play:* org.playframework:*', 'play', 'web'],
  ['maven', 'org.http4k:*', 'http4k', 'web'],
  ['maven', 'com.vaadin:*', 'vaadin', 'web'],
  ['maven', 'com.amazonaws:aws-lambda-java-core', 'aws-lambda', 'function'],
  ['maven', 'com.android.application:* com.android.tools.build:gradle', 'android', 'mobile'],
  ['maven', 'org.springframework.boot:*', 'spring-boot', 'worker', 'weak'],
  ['nuget', 'Microsoft.NET.Sdk.Web Microsoft.AspNetCore.App', 'aspnet', 'web'],
  ['nuget', 'Microsoft.NET.Sdk.BlazorWebAssembly Microsoft.AspNetCore.Components.WebAssembly', 'blazor', 'static'],
  ['nuget', 'Microsoft.Azure.Functions.Worker Microsoft.NET.Sdk.Functions', 'azure-functions', 'function'],
  ['nuget', 'Amazon.Lambda.Core Amazon.Lambda.AspNetCoreServer.Hosting', 'aws-lambda', 'function'],
  ['nuget', 'Microsoft.Maui.Controls', 'maui', 'mobile'],
  ['nuget', 'Microsoft.NET.Sdk.Worker', 'dotnet-worker', 'worker'],
  ['nuget', 'Microsoft.AspNetCore.*', 'aspnet', 'web', 'weak'],
  ['pub', 'flutter', 'flutter', 'mobile'],
  ['pub', 'dart_frog', 'dart-frog', 'web'],
  ['pub', 'serverpod', 'serverpod', 'web'],
  ['swift', 'vapor github.com/vapor/vapor vapor/vapor', 'vapor', 'web'],
];

interface Listed {
  readonly exact: ReadonlyMap<string, readonly number[]>;
  readonly beginnings: readonly { readonly text: string; readonly row: number }[];
}

const listed: Listed = list();

function list(): Listed {
  const exact = new Map<string, number[]>();
  const beginnings: { text: string; row: number }[] = [];
  for (const [i, [ecosystem, packages]] of rows.entries()) {
    for (const name of packages.split(' ')) {
      const key = `${ecosystem}:${name}`;
      if (name.endsWith('*')) beginnings.push({ text: key.slice(0, -1), row: i });
      else exact.set(key, [...(exact.get(key) ?? []), i]);
    }
  }
  return { exact, beginnings };
}

const servers = new Set([
  'fastify',
  'hono',
  'express',
  'koa',
  '@hapi/hapi',
  'elysia',
  '@apollo/server',
  'apollo-server',
  'graphql-yoga',
  'parse-server',
  '@nestjs/core',
]);

/** Configurations that show a framework whose packages no manifest lists. */
const files: readonly (readonly [RegExp, Framework])[] = [
  [/^(?:hugo|config\/_default\/hugo|config)\.(?:toml|yaml|json)$/, { name: 'hugo', kind: 'static', isWeak: true }],
  [/^manage\.py$/, { name: 'django', kind: 'web' }],
  [/^artisan$/, { name: 'laravel', kind: 'web' }],
  [/^bin\/rails$/, { name: 'rails', kind: 'web' }],
  [/^wp-config(?:-sample)?\.php$/, { name: 'wordpress', kind: 'web' }],
  [/^fresh\.config\.ts$/, { name: 'fresh', kind: 'web' }],
];

/**
 * The framework of a folder, from its packages, else from its files (paths from the folder). What answers requests or is an app of its own
 * counts before what only builds files: a Rails app has a front end as well.
 */
export function frameworkOf(unit: Pick<Unit, 'manifests'>, own: readonly string[]): Framework | null {
  const found = rowsOf(unit);
  const strong =
    found.find(([, , , kind, weak]) => weak === undefined && kind !== 'static') ?? found.find(([, , , , weak]) => weak === undefined);
  if (strong) return { name: strong[2], kind: kindOf(strong, unit) };
  const byFile = files.find(([pattern]) => own.some((file) => pattern.test(file)))?.[1];
  const [weak] = found;
  if (byFile && !(byFile.isWeak && weak)) return byFile;
  return weak ? { name: weak[2], kind: weak[3], isWeak: true } : null;
}

/** Astro serves files, and answers requests where it has an adapter. */
const kindOf = (row: Row, { manifests }: Pick<Unit, 'manifests'>): Kind =>
  row[2] === 'astro' &&
  manifests.some(({ packages }) => packages.some(({ name }) => /^@astrojs\/(?:vercel|netlify|node|cloudflare)$/.test(name)))
    ? 'web'
    : row[3];

/** The rows that the manifests list, the first before the others. */
function rowsOf({ manifests }: Pick<Unit, 'manifests'>): readonly Row[] {
  const found = new Set<number>();
  for (const { ecosystem, packages } of manifests) {
    for (const { name, use } of packages) {
      // Tests of libraries start servers. An app has its server among the packages that run.
      if (ecosystem === 'npm' && use === 'develop' && servers.has(name)) continue;
      const key = `${ecosystem}:${name}`;
      for (const row of listed.exact.get(key) ?? []) found.add(row);
      for (const { text, row } of listed.beginnings) if (key.startsWith(text)) found.add(row);
    }
  }
  return rows.filter((_, i) => found.has(i));
}
