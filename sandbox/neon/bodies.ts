import { type Call, flawsOf, type Refusal, type Shape, Unreadable } from '../kit/index.ts';
import type { Endpoint, NeonState } from './state.ts';

export interface AskedCreate {
  readonly name: string | undefined;
  readonly parent_id: string | undefined;
  readonly init_source: string | undefined;
  readonly protected: boolean | undefined;
  readonly expires_at: string | undefined;
  readonly endpoints: readonly (Partial<Endpoint> & { readonly type: Endpoint['type'] })[];
}

export interface AskedUpdate {
  readonly name?: string;
  readonly protected?: boolean;
  readonly expires_at?: string | null;
}

/** The description leaves these bodies open: an unknown field is ignored, a wrong type is not. */
const createShape: Shape = {
  open: true,
  fields: {
    branch: {
      open: true,
      fields: {
        name: 'string',
        parent_id: 'string',
        parent_lsn: 'string',
        parent_timestamp: 'string',
        protected: 'boolean',
        archived: 'boolean',
        init_source: 'string',
        expires_at: 'string',
      },
    },
    endpoints: {
      list: {
        open: true,
        required: ['type'],
        fields: {
          type: { oneOf: ['read_only', 'read_write'] },
          settings: { open: true, fields: {} },
          autoscaling_limit_min_cu: 'number',
          autoscaling_limit_max_cu: 'number',
          provisioner: 'string',
          suspend_timeout_seconds: 'integer',
        },
      },
    },
    annotation_value: { values: 'string' },
  },
};

const updateShape: Shape = {
  open: true,
  required: ['branch'],
  fields: { branch: { open: true, fields: { name: 'string', protected: 'boolean', expires_at: { nullable: 'string' } } } },
};

type Invalid = (message: string) => Refusal;
type Anything = Call<NeonState, unknown>;

/** The body of a create, which may be left out as a whole. */
export function readCreate(call: Anything, invalid: Invalid): AskedCreate {
  const body = (call.body === null ? {} : checked(call, createShape, invalid)) as {
    readonly branch?: Partial<Omit<AskedCreate, 'endpoints'>>;
    readonly endpoints?: AskedCreate['endpoints'];
  };
  const { branch = {}, endpoints = [] } = body;
  checkBranch(branch, call.now, invalid);
  if (endpoints.filter(({ type }) => type === 'read_write').length > 1) throw invalid('a branch may have only one read_write endpoint');
  if (branch.init_source !== undefined && !['schema-only', 'parent-data'].includes(branch.init_source))
    throw invalid('init_source is not valid');
  return {
    name: branch.name,
    // An empty parent means the default branch, as a missing one does.
    parent_id: branch.parent_id === '' ? undefined : branch.parent_id,
    init_source: branch.init_source,
    protected: branch.protected,
    expires_at: branch.expires_at,
    endpoints,
  };
}

export function readUpdate(call: Anything, invalid: Invalid): AskedUpdate {
  const { branch } = checked(call, updateShape, invalid) as { readonly branch: AskedUpdate };
  checkBranch(branch, call.now, invalid);
  return branch;
}

function checked(call: Anything, shape: Shape, invalid: Invalid): unknown {
  if (call.contentType !== 'application/json') throw invalid('the request must have the content type application/json');
  if (call.body instanceof Unreadable) throw invalid('the request body is not valid JSON');
  const [flaw] = flawsOf(call.body, shape);
  if (flaw) throw invalid(flaw.problem === 'missing' ? `${flaw.at} is required` : `${flaw.at} must be ${flaw.expected}`);
  return call.body;
}

function checkBranch(
  branch: { readonly name?: string | undefined; readonly expires_at?: string | null | undefined },
  now: number,
  invalid: Invalid,
): void {
  if (branch.name !== undefined && (branch.name.length < 1 || branch.name.length > 256))
    throw invalid('name must have 1 to 256 characters');
  if (branch.expires_at !== undefined && branch.expires_at !== null) {
    const at = Date.parse(branch.expires_at);
    if (Number.isNaN(at)) throw invalid('expires_at is not a date-time');
    if (at <= now) throw invalid('expires_at must lie in the future');
  }
}
