import type { Branch, Database, Endpoint, Operation, Project, Role } from './state.ts';

/** The provider's objects as its answers show them, with every field that the contract requires. */

export function branchAnswer(branch: Branch): Record<string, unknown> {
  return {
    id: branch.id,
    project_id: branch.project_id,
    ...(branch.parent_id !== null && { parent_id: branch.parent_id, parent_lsn: '0/1A2B3C8' }),
    name: branch.name,
    current_state: branch.current_state,
    ...(branch.current_state === 'init' && { pending_state: 'ready' }),
    state_changed_at: branch.state_changed_at,
    logical_size: 30_834_688,
    creation_source: 'console',
    primary: branch.isDefault,
    default: branch.isDefault,
    protected: branch.isProtected,
    cpu_used_sec: 0,
    compute_time_seconds: 0,
    active_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    created_at: branch.created_at,
    updated_at: branch.updated_at,
    ...(branch.expires_at !== null && {
      expires_at: branch.expires_at,
      ttl_interval_seconds: Math.round((Date.parse(branch.expires_at) - Date.parse(branch.updated_at)) / 1000),
    }),
    init_source: branch.init_source,
    ...(branch.deleted_at !== null && {
      recovery: {
        deleted_at: branch.deleted_at,
        recoverable_until: new Date(Date.parse(branch.deleted_at) + 7 * 86_400_000).toISOString(),
        deletion_method: 'user',
      },
    }),
  };
}

export const hostOf = (project: Project, endpoint: Endpoint, pooled: boolean): string =>
  `${endpoint.id}${pooled ? '-pooler' : ''}.${project.region_id.replace('aws-', '')}.aws.neon.tech`;

export const endpointAnswer = (project: Project, branch: Branch, endpoint: Endpoint): Record<string, unknown> => ({
  host: hostOf(project, endpoint, false),
  id: endpoint.id,
  project_id: project.id,
  branch_id: branch.id,
  autoscaling_limit_min_cu: endpoint.autoscaling_limit_min_cu,
  autoscaling_limit_max_cu: endpoint.autoscaling_limit_max_cu,
  region_id: project.region_id,
  type: endpoint.type,
  current_state: endpoint.current_state,
  ...(endpoint.current_state === 'init' && { pending_state: 'active' }),
  settings: endpoint.settings,
  pooler_enabled: false,
  pooler_mode: 'transaction',
  disabled: false,
  passwordless_access: true,
  creation_source: 'console',
  created_at: endpoint.created_at,
  updated_at: endpoint.created_at,
  proxy_host: `${project.region_id.replace('aws-', '')}.aws.neon.tech`,
  suspend_timeout_seconds: endpoint.suspend_timeout_seconds,
  provisioner: 'k8s-neonvm',
});

export const operationAnswer = (project: Project, operation: Operation): Record<string, unknown> => ({
  id: operation.id,
  project_id: project.id,
  branch_id: operation.branch_id,
  ...(operation.endpoint_id !== null && { endpoint_id: operation.endpoint_id }),
  action: operation.action,
  status: operation.status,
  failures_count: 0,
  created_at: operation.created_at,
  updated_at: operation.updated_at,
  total_duration_ms: Math.max(0, Date.parse(operation.updated_at) - Date.parse(operation.created_at)),
});

/** Lists never show a role's password; only the connection URI holds it. */
export const roleAnswer = (branch: Branch, role: Role): Record<string, unknown> => ({
  branch_id: branch.id,
  name: role.name,
  protected: false,
  authentication_method: 'password',
  created_at: role.created_at,
  updated_at: role.created_at,
});

export const databaseAnswer = (branch: Branch, database: Database): Record<string, unknown> => ({
  id: database.id,
  branch_id: branch.id,
  name: database.name,
  owner_name: database.owner_name,
  created_at: database.created_at,
  updated_at: database.created_at,
});

export const annotationAnswer = (branch: Branch): Record<string, unknown> => ({
  object: { type: 'console/branch', id: branch.id },
  value: {},
  created_at: branch.created_at,
  updated_at: branch.created_at,
});

export function uriOf(project: Project, endpoint: Endpoint, role: Role, database: Database, pooled: boolean): string {
  const host = hostOf(project, endpoint, pooled);
  return `postgresql://${encodeURIComponent(role.name)}:${role.password}@${host}/${encodeURIComponent(database.name)}?sslmode=require&channel_binding=require`;
}

/** The create answer alone carries connection strings, and only where a compute was asked for. */
export function createdAnswer(project: Project, branch: Branch, operations: readonly Operation[]): Record<string, unknown> {
  const [endpoint] = branch.endpoints;
  return {
    branch: branchAnswer(branch),
    endpoints: branch.endpoints.map((one) => endpointAnswer(project, branch, one)),
    operations: operations.map((operation) => operationAnswer(project, operation)),
    roles: branch.roles.map((role) => roleAnswer(branch, role)),
    databases: branch.databases.map((database) => databaseAnswer(branch, database)),
    ...(endpoint && { connection_uris: branch.databases.flatMap((database) => connectionAnswer(project, branch, endpoint, database)) }),
  };
}

function connectionAnswer(project: Project, branch: Branch, endpoint: Endpoint, database: Branch['databases'][number]): readonly unknown[] {
  const role = branch.roles.find(({ name }) => name === database.owner_name);
  if (!role) return [];
  const answer = endpointAnswer(project, branch, endpoint);
  return [
    {
      connection_uri: uriOf(project, endpoint, role, database, false),
      connection_parameters: {
        database: database.name,
        password: role.password,
        role: role.name,
        host: answer.host,
        pooler_host: String(answer.host).replace(endpoint.id, `${endpoint.id}-pooler`),
      },
    },
  ];
}
