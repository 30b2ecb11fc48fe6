/**
 * Headers as they came over the wire: names in the case they were sent in, those sent more than once
 * as arrays in order, whatever the case of each repetition.
 */
export function listHeaders(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  const nameByLowerCase = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sentName = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const lowerCase = sentName.toLowerCase();
    const name = nameByLowerCase.get(lowerCase) ?? sentName;
    nameByLowerCase.set(lowerCase, name);
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else if (Array.isArray(earlier)) earlier.push(value);
    else headers[name] = [earlier, value];
  }
  return headers;
}
