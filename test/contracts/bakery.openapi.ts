/** A small description of our own, with the habits of real ones: nullable without a type, templates in the base, closed bodies, form bodies. */
export const bakery = {
  openapi: '3.0.3',
  servers: [{ url: 'https://{region}.bakery.example/api/v1', variables: { region: { default: 'eu' } } }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'api_key' } },
    parameters: { limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } } },
    responses: { failure: { description: 'no', content: { 'application/json': { schema: { $ref: '#/components/schemas/failure' } } } } },
    schemas: {
      failure: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      label: { type: 'string', minLength: 2 },
      loaf: {
        type: 'object',
        required: ['id', 'label', 'note', 'shelf', 'baked_at', 'pin'],
        properties: {
          id: { type: 'integer', readOnly: true },
          pin: { type: 'string', writeOnly: true },
          label: { $ref: '#/components/schemas/label' },
          note: { $ref: '#/components/schemas/label', nullable: true },
          shelf: { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] },
          kind: { type: 'string', enum: ['rye', 'wheat'], nullable: true },
          anything: { nullable: true },
          weight: { type: 'number', minimum: 0, exclusiveMinimum: true },
          baked_at: { type: 'string', format: 'date-time' },
          odd: { type: 'string', format: 'a-format-of-their-own' },
        },
      },
      order: {
        type: 'object',
        additionalProperties: false,
        required: ['count'],
        properties: {
          count: { type: 'integer' },
          gift: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
          metadata: {
            anyOf: [
              { type: 'object', additionalProperties: { type: 'string' } },
              { type: 'string', enum: [''] },
            ],
          },
          lines: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['loaf'],
              properties: { loaf: { type: 'integer' }, cut: { type: 'boolean' } },
            },
          },
        },
      },
    },
  },
  paths: {
    '/loaves': {
      get: {
        parameters: [
          { $ref: '#/components/parameters/limit' },
          { name: 'kind', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string', enum: ['rye', 'wheat'] } } },
          { name: 'baked', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { after: { type: 'integer' } } } },
          { name: 'shop', in: 'query', required: true, schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/loaf' } } } },
          },
          '4XX': { $ref: '#/components/responses/failure' },
        },
      },
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { allOf: [{ $ref: '#/components/schemas/loaf' }] },
            },
          },
        },
        responses: {
          201: { description: 'made', content: { 'application/json': { schema: { $ref: '#/components/schemas/loaf' } } } },
          default: { $ref: '#/components/responses/failure' },
        },
      },
    },
    '/loaves/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [{ name: 'X-Shop-Version', in: 'header', required: true, schema: { type: 'string', enum: ['2026-01-01'] } }],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/loaf' } } } } },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/menu': {
      get: {
        parameters: [
          { name: 'Accept', in: 'header', required: true, schema: { type: 'string', enum: ['application/vnd.bakery+json; version=3'] } },
        ],
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'array' } } } } },
      },
    },
    '/loaves/newest': { get: { responses: { 200: { description: 'ok' } } } },
    '/orders': {
      post: {
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/order' } } } },
        responses: { 200: { description: 'ok' } },
      },
    },
    '/oven/token': {
      servers: [{ url: 'https://bakery.example' }],
      post: { responses: { 200: { description: 'ok' } } },
    },
  },
};
