/** Adds a value under a name: the first by itself, several as a list in order. */
export function addValue<Value>(
  values: Record<string, Value | Value[]>,
  name: string,
  value: Value,
): void {
  const earlier = values[name];
  if (earlier === undefined) values[name] = value;
  else if (Array.isArray(earlier)) earlier.push(value);
  else values[name] = [earlier, value];
}
