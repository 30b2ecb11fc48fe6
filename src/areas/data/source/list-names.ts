/** Names in a message, which does not grow with all that a caller's data may have. */

const maxNames = 100;
const maxNameLength = 100;

/** The names with commas between them; of many the first, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(shorten).join(', ');
  return names.length <= maxNames ? shown : `${shown} and ${names.length - maxNames} more`;
}

function shorten(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
}
