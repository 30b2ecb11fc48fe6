/** The structural rules of JSON:API 1.1 for the documents of a server, as a JSON Schema. */

const linkage = {
  type: 'object',
  required: ['type', 'id'],
  properties: { type: { $ref: '#/$defs/memberName' }, id: { type: 'string' }, meta: {} },
  additionalProperties: false,
};

export const jsonApiSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  // A document has at least one of these, and never data beside errors.
  oneOf: [{ required: ['data'] }, { required: ['errors'] }],
  dependentRequired: { included: ['data'] },
  properties: {
    jsonapi: {
      type: 'object',
      properties: { version: { const: '1.1' } },
      additionalProperties: false,
    },
    links: { $ref: '#/$defs/links' },
    meta: { type: 'object' },
    data: {
      oneOf: [
        { type: 'null' },
        { $ref: '#/$defs/resource' },
        { type: 'array', items: { $ref: '#/$defs/resource' }, uniqueItems: true },
      ],
    },
    included: { type: 'array', items: { $ref: '#/$defs/resource' }, uniqueItems: true },
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        minProperties: 1,
        properties: {
          status: { type: 'string', pattern: '^[45]\\d\\d$' },
          title: { type: 'string' },
          detail: { type: 'string' },
          code: { type: 'string' },
          source: {
            type: 'object',
            properties: {
              pointer: { type: 'string', pattern: '^(?:/[^/]*)*$' },
              parameter: { type: 'string' },
            },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
  $defs: {
    memberName: { type: 'string', pattern: '^[a-zA-Z0-9](?:[\\w-]*[a-zA-Z0-9])?$' },
    links: { type: 'object', additionalProperties: { type: ['string', 'null'], format: 'uri' } },
    resource: {
      type: 'object',
      required: ['type', 'id'],
      properties: {
        type: { $ref: '#/$defs/memberName' },
        id: { type: 'string' },
        attributes: {
          type: 'object',
          propertyNames: {
            // Attributes and relationships share one name space with these two.
            allOf: [{ $ref: '#/$defs/memberName' }, { not: { enum: ['type', 'id'] } }],
          },
        },
        relationships: {
          type: 'object',
          propertyNames: { $ref: '#/$defs/memberName' },
          additionalProperties: {
            type: 'object',
            anyOf: [{ required: ['links'] }, { required: ['data'] }, { required: ['meta'] }],
            properties: {
              links: { $ref: '#/$defs/links' },
              data: { oneOf: [{ type: 'null' }, linkage, { type: 'array', items: linkage }] },
              meta: { type: 'object' },
            },
            additionalProperties: false,
          },
        },
        links: { $ref: '#/$defs/links' },
        meta: { type: 'object' },
      },
      additionalProperties: false,
    },
  },
} as const;
