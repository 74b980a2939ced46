import type { Service } from './service.ts';

const ownDatabase = 'Previews share it, unless you give them a database of a provider that has branches.';

/** Data that previews would share. */
export const data: readonly Service[] = [
  {
    name: 'aws_rds',
    title: 'Amazon RDS',
    ask: ownDatabase,
    detect: { dependencies: ['@aws-sdk/client-rds-data', '@aws-sdk/rds-signer'], env: ['RDS_HOSTNAME'], hosts: ['.rds.amazonaws.com'] },
  },
  {
    name: 'cloud_sql',
    title: 'Google Cloud SQL',
    detect: {
      dependencies: ['@google-cloud/cloud-sql-connector', 'cloud-sql-python-connector'],
      env: ['INSTANCE_CONNECTION_NAME', 'CLOUD_SQL_CONNECTION_NAME'],
    },
  },
  {
    name: 'azure_database',
    title: 'Azure Database',
    detect: { hosts: ['.postgres.database.azure.com', '.mysql.database.azure.com', '.database.windows.net'] },
  },
  { name: 'digitalocean_database', title: 'DigitalOcean Managed Databases', detect: { hosts: ['.db.ondigitalocean.com'] } },
  { name: 'render_postgres', title: 'Render Postgres', detect: { hosts: ['.render.com'] } },
  { name: 'railway_database', title: 'Railway databases', detect: { hosts: ['.rlwy.net', '.railway.internal'] } },
  { name: 'aiven', title: 'Aiven', detect: { env: ['AIVEN_TOKEN', 'AIVEN_API_TOKEN'], hosts: ['.aivencloud.com'] } },
  { name: 'timescale', title: 'Tiger Cloud (Timescale)', detect: { hosts: ['.tsdb.cloud.timescale.com', '.timescaledb.io'] } },
  { name: 'crunchy_bridge', title: 'Crunchy Bridge', detect: { hosts: ['.postgresbridge.com'] } },
  {
    name: 'nile',
    title: 'Nile',
    detect: {
      dependencies: ['@niledatabase/server'],
      env: ['NILEDB_URL', 'NILEDB_API_URL'],
      hosts: ['.thenile.dev'],
    },
  },
  {
    name: 'tidb_cloud',
    title: 'TiDB Cloud',
    detect: { dependencies: ['@tidbcloud/serverless', '@tidbcloud/prisma-adapter'], env: ['TIDB_HOST'], hosts: ['.tidbcloud.com'] },
  },
  {
    name: 'gel',
    title: 'Gel (EdgeDB)',
    detect: { files: ['gel.toml', 'edgedb.toml'], dependencies: ['gel', 'edgedb'], env: ['GEL_INSTANCE', 'EDGEDB_INSTANCE'] },
  },
  {
    name: 'firestore',
    title: 'Cloud Firestore',
    detect: {
      files: ['firestore.rules', 'firestore.indexes.json'],
      dependencies: ['@google-cloud/firestore', '@react-native-firebase/firestore'],
      env: ['FIRESTORE_EMULATOR_HOST'],
    },
  },
  {
    name: 'cosmos_db',
    title: 'Azure Cosmos DB',
    detect: { dependencies: ['@azure/cosmos'], env: ['COSMOS_ENDPOINT', 'COSMOS_CONNECTION_STRING'], hosts: ['.cosmos.azure.com'] },
  },
  {
    name: 'dynamodb',
    title: 'Amazon DynamoDB',
    detect: {
      dependencies: ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', 'dynamoose', 'electrodb'],
      env: ['DYNAMODB_TABLE', 'DYNAMODB_TABLE_NAME'],
    },
  },
  { name: 'redis_cloud', title: 'Redis Cloud', detect: { hosts: ['.redis-cloud.com', '.redislabs.com'] } },
  {
    name: 'astra_db',
    title: 'Astra DB',
    detect: { dependencies: ['@datastax/astra-db-ts', 'astrapy'], env: ['ASTRA_DB_API_ENDPOINT', 'ASTRA_DB_APPLICATION_TOKEN'] },
  },
  {
    name: 'hasura',
    title: 'Hasura',
    detect: {
      files: ['hasura.yaml', 'hasura/config.yaml'],
      env: ['HASURA_GRAPHQL_ADMIN_SECRET', 'HASURA_GRAPHQL_ENDPOINT', 'HASURA_PROJECT_ENDPOINT'],
    },
  },
  {
    name: 'appwrite',
    title: 'Appwrite',
    detect: {
      files: ['appwrite.json', 'appwrite.config.json'],
      dependencies: ['appwrite', 'node-appwrite', 'react-native-appwrite'],
      env: ['APPWRITE_API_KEY', 'NEXT_PUBLIC_APPWRITE_PROJECT_ID'],
    },
  },
  {
    name: 'nhost',
    title: 'Nhost',
    detect: {
      files: ['nhost/nhost.toml'],
      dependencies: ['@nhost/nhost-js', '@nhost/nextjs', '@nhost/react'],
      env: ['NHOST_SUBDOMAIN', 'NEXT_PUBLIC_NHOST_SUBDOMAIN'],
    },
  },
  {
    name: 'pocketbase',
    title: 'PocketBase',
    detect: { dependencies: ['pocketbase'], env: ['POCKETBASE_URL', 'NEXT_PUBLIC_POCKETBASE_URL'] },
  },
];

/** Indices that previews would share. */
export const search: readonly Service[] = [
  {
    name: 'meilisearch',
    title: 'Meilisearch',
    detect: {
      dependencies: ['meilisearch', '@meilisearch/instant-meilisearch'],
      env: ['MEILISEARCH_HOST', 'MEILI_MASTER_KEY', 'MEILISEARCH_API_KEY'],
    },
  },
  {
    name: 'typesense',
    title: 'Typesense',
    detect: { dependencies: ['typesense', 'typesense-instantsearch-adapter'], env: ['TYPESENSE_HOST', 'TYPESENSE_API_KEY'] },
  },
  {
    name: 'elasticsearch',
    title: 'Elasticsearch',
    detect: {
      dependencies: ['@elastic/elasticsearch', 'elasticsearch'],
      env: ['ELASTICSEARCH_URL', 'ELASTIC_CLOUD_ID', 'ELASTICSEARCH_NODE'],
    },
  },
  {
    name: 'opensearch',
    title: 'OpenSearch',
    detect: { dependencies: ['@opensearch-project/opensearch', 'opensearch-py'], env: ['OPENSEARCH_URL'] },
  },
  {
    name: 'pinecone',
    title: 'Pinecone',
    detect: { dependencies: ['@pinecone-database/pinecone', 'pinecone'], env: ['PINECONE_API_KEY', 'PINECONE_INDEX'] },
  },
  { name: 'weaviate', title: 'Weaviate', detect: { dependencies: ['weaviate-client'], env: ['WEAVIATE_URL', 'WEAVIATE_API_KEY'] } },
  {
    name: 'qdrant',
    title: 'Qdrant',
    detect: { dependencies: ['@qdrant/js-client-rest', 'qdrant-client'], env: ['QDRANT_URL', 'QDRANT_API_KEY'] },
  },
  {
    name: 'redis',
    title: 'Redis',
    ask: 'Previews share it, unless each preview puts its number before its keys. Upstash Redis has a recipe.',
    detect: { dependencies: ['ioredis', 'redis', 'bullmq', 'bull'], env: ['REDIS_URL'] },
  },
  { name: 'bigquery', title: 'BigQuery', detect: { dependencies: ['@google-cloud/bigquery', 'google-cloud-bigquery'] } },
];
