import type { Json } from '../../kit/example.js';

/** JSON on one line when it is short, else indented: for people, and nothing in it is lost. */
export function formatJson(value: Json): string {
  const line = oneLine(value);
  return line.length <= 64 ? line : JSON.stringify(value, null, 2);
}

function oneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return `{${members.join(', ')}}`;
}
