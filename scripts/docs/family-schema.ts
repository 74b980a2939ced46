import { actionShape } from '../../src/ops/generic/action.ts';
import { listItemShape } from '../../src/ops/generic/list-item-shape.ts';
import { resourceShape } from '../../src/ops/generic/resource-shape.ts';
import { familySchema } from '../../src/recipes/schema.ts';
import { draft7, mapAt, type Schema, without } from './schema.ts';

/** The JSON Schema of a recipe family, from the schemas with which the program reads one. The kind of an operation decides its template. */
export function recipeFamilySchema(): Schema {
  const family = draft7(familySchema);
  const properties = mapAt(family, 'properties');
  const ops = mapAt(properties, 'ops');
  const op = mapAt(ops, 'additionalProperties');
  const fields = mapAt(op, 'properties');
  const shapes = { resource: resourceShape(), list_item: listItemShape(), action: actionShape() };
  // An address is a resource that is only read.
  const shapeOf = { resource: 'resource', list_item: 'list_item', action: 'action', address: 'resource' };
  return {
    ...without(family, '$schema'),
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A recipe family',
    description: 'One provider of a pilotfish plan as data: its API, and operations that are templates of the adapter http.',
    properties: {
      ...properties,
      ops: {
        ...ops,
        additionalProperties: {
          ...op,
          properties: { ...fields, template: { description: mapAt(fields, 'template').description, type: 'object' } },
          allOf: Object.entries(shapeOf).map(([kind, shape]) => ({
            if: { properties: { kind: { const: kind } }, required: ['kind'] },
            // biome-ignore lint/suspicious/noThenProperty: `then` is a key of JSON Schema.
            then: { properties: { template: { $ref: `#/definitions/${shape}` } } },
          })),
        },
      },
    },
    definitions: {
      ...mapAt(family, 'definitions'),
      ...Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, without(draft7(shape), '$schema')])),
    },
  };
}
