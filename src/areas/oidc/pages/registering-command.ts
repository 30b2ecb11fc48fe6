/** Writes a shell command that sends JSON. */

export function postJson(url: string, body: object, method = 'POST'): string {
  const choice = method === 'POST' ? '' : `-X ${method} `;
  const json = inQuotes(JSON.stringify(body));
  return `curl ${choice}${inQuotes(url)} -H 'Content-Type: application/json' -d ${json}`;
}

/** Quotes text for a shell. Inside single quotes, only the quote itself is special. */
function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
