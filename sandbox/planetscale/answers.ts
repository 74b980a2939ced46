import type { Branch, Password } from './state.ts';

/** The provider's objects as its answers show them, with every field that the contract requires. */

const regionAnswer = (slug: string) => ({
  id: `region-${slug}`,
  provider: 'AWS',
  enabled: true,
  public_ip_addresses: ['203.0.113.7'],
  display_name: `AWS ${slug}`,
  location: 'Ashburn, Virginia',
  slug,
  current_default: slug === 'us-east',
  mysql_supported: true,
  postgresql_supported: true,
});

const actor = { id: 'actor-1', display_name: 'preview', avatar_url: 'https://app.planetscale.com/gravatar-fallback.png' };

export const branchAnswer = (branch: Branch): Record<string, unknown> => ({
  id: branch.id,
  name: branch.name,
  created_at: branch.created_at,
  updated_at: branch.updated_at,
  deleted_at: null,
  restore_checklist_completed_at: null,
  schema_last_updated_at: null,
  kind: branch.kind,
  mysql_address: 'us-east.connect.psdb.cloud',
  mysql_edge_address: 'aws.connect.psdb.cloud',
  state: branch.state,
  direct_vtgate: false,
  vtgate_size: 'vg.c1.nano',
  vtgate_name: 'VTG_5',
  vtgate_count: 1,
  vtgate_autoscaling: false,
  vtgate_max_count: null,
  vtgate_target_cpu_utilization: null,
  cluster_name: branch.cluster_name,
  cluster_iops: null,
  ready: branch.ready,
  schema_ready: branch.ready,
  metal: false,
  production: branch.production,
  safe_migrations: false,
  deletion_protected: branch.deletion_protected,
  sharded: false,
  shard_count: 1,
  keyspace_count: 1,
  stale_schema: false,
  actor,
  restored_from_branch: null,
  private_edge_connectivity: false,
  has_replicas: false,
  has_read_only_replicas: false,
  html_url: `https://app.planetscale.com/acme/shop/${branch.name}`,
  url: `https://api.planetscale.com/v1/organizations/acme/databases/shop/branches/${branch.name}`,
  region: regionAnswer(branch.region),
  parent_branch: branch.parent_branch,
  vtgate_options: {},
});

/** The secret is shown by the create alone. */
export const passwordAnswer = (branch: Branch, password: Password, now: number, shown: string | null = null): Record<string, unknown> => ({
  id: password.id,
  name: password.name,
  role: password.role,
  cidrs: password.cidrs,
  created_at: password.created_at,
  deleted_at: null,
  expires_at: password.expiresAt === null ? null : new Date(password.expiresAt).toISOString(),
  last_used_at: null,
  expired: password.expiresAt !== null && password.expiresAt <= now,
  direct_vtgate: password.direct_vtgate,
  direct_vtgate_addresses: [],
  ttl_seconds: password.ttl_seconds,
  access_host_url: 'aws.connect.psdb.cloud',
  access_host_regional_url: 'us-east.connect.psdb.cloud',
  access_host_regional_urls: [],
  actor,
  region: regionAnswer(branch.region),
  username: password.username,
  plain_text: shown,
  replica: password.replica,
  renewable: password.ttl_seconds !== null,
  database_branch: {
    name: branch.name,
    id: branch.id,
    production: branch.production,
    mysql_edge_address: 'aws.connect.psdb.cloud',
    private_edge_connectivity: false,
  },
});

/** One page of a list, with the numbers of the pages beside it. */
export function pageAnswer(all: readonly unknown[], query: URLSearchParams, base: string): Record<string, unknown> {
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1);
  const per_page = Math.min(100, Math.max(1, Number(query.get('per_page') ?? 25) || 25));
  const total_pages = Math.max(1, Math.ceil(all.length / per_page));
  const next = page < total_pages ? page + 1 : null;
  const previous = page > 1 ? page - 1 : null;
  const url = (number: number | null): string | null => (number === null ? null : `${base}?page=${number}&per_page=${per_page}`);
  return {
    type: 'list',
    current_page: page,
    per_page,
    next_page: next,
    next_page_url: url(next),
    prev_page: previous,
    prev_page_url: url(previous),
    total_count: all.length,
    total_pages,
    data: all.slice((page - 1) * per_page, page * per_page),
  };
}
