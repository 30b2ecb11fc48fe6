/** Adds a value under a name; several values of one name become a list in order. */
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
