import type { Json } from '#kit/example.js';

/** Formats JSON for readers, without loss: on one line if it is short, else indented. */
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
