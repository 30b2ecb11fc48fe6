/** Infers the types of values, for display and for filters. */

type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export interface Shape {
  count: number;
  /** The number of values of each type. Numbers without a fraction are integers. */
  readonly types: Map<TypeName, number>;
  /** The number of texts that are dates, and times. */
  dates: number;
  times: number;
  /** Members of objects; empty if there were no objects. */
  readonly properties: Map<string, Shape>;
  items: Shape | undefined;
}

/** An object with more members is a dictionary, not a record: further members are ignored. */
const maxProperties = 1000;
/** Limit for the members of all records in a collection, including nested ones: further members are ignored. */
const maxShapes = 5000;

const date = /^\d{4}-\d\d-\d\d$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

export function inferShape(values: Iterable<unknown>): Shape {
  const whole = emptyShape();
  let left = maxShapes;
  const newShape = () => (left-- > 0 ? emptyShape() : undefined);

  function add(shape: Shape, value: unknown): void {
    const type = typeOf(value);
    shape.count++;
    shape.types.set(type, (shape.types.get(type) ?? 0) + 1);
    if (type === 'string') addText(shape, value as string);
    if (type === 'array') {
      shape.items ??= newShape();
      if (shape.items === undefined) return;
      for (const item of value as readonly unknown[]) add(shape.items, item);
    }
    if (type !== 'object') return;
    const { properties } = shape;
    for (const name of Object.keys(value as object)) {
      const known = properties.get(name);
      const inner = known ?? (properties.size < maxProperties ? newShape() : undefined);
      if (inner === undefined) continue;
      if (known === undefined) properties.set(name, inner);
      add(inner, (value as Readonly<Record<string, unknown>>)[name]);
    }
  }
  for (const value of values) add(whole, value);
  return whole;
}

function emptyShape(): Shape {
  return {
    count: 0,
    types: new Map(),
    dates: 0,
    times: 0,
    properties: new Map(),
    items: undefined,
  };
}

function addText(shape: Shape, text: string): void {
  const first = text.charCodeAt(0);
  // Most texts are neither, which their length or first character shows.
  if (text.length < 10 || first < 0x30 || first > 0x39) return;
  if (date.test(text)) shape.dates++;
  else if (time.test(text)) shape.times++;
}

function typeOf(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as TypeName;
}

export function countShapes({ properties, items }: Shape): number {
  let count = items === undefined ? 1 : 1 + countShapes(items);
  for (const inner of properties.values()) count += countShapes(inner);
  return count;
}

type JsonSchema = Readonly<Record<string, unknown>>;

const maxShownProperties = 100;

/** Returns a JSON Schema (draft 2020-12). Members that every object has are required. */
export function schemaOf({ types: seen, dates, times, properties, items }: Shape): JsonSchema {
  const all = [...seen.keys()];
  const types = all.includes('number') ? all.filter((name) => name !== 'integer') : all;
  const texts = seen.get('string') ?? 0;
  const shown = [...properties].slice(0, maxShownProperties);
  const isRequired = ([, { count }]: [string, Shape]) => count === seen.get('object');
  const required = shown.filter(isRequired).map(([name]) => name);
  return {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(texts > 0 && dates === texts && { format: 'date' }),
    ...(texts > 0 && times === texts && { format: 'date-time' }),
    ...(types.includes('object') && {
      properties: Object.fromEntries(shown.map(([name, shape]) => [name, schemaOf(shape)])),
      ...(required.length > 0 && { required }),
    }),
    ...(items !== undefined && { items: schemaOf(items) }),
  };
}
