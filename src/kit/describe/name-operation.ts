/** Makes the `operationId` of a route: stable and unique like its method and path. */

/** Such as `getEventsById` for GET /api/Events/:id. */
export function nameOperation(method: string, path: string): string {
  const [first, ...others] = path.split('/').filter(Boolean);
  const segments = first === 'api' && others.length > 0 ? others : [first ?? '', ...others];
  const words = segments.flatMap((segment) => {
    const parameter = /^:(\w+)/.exec(segment);
    if (parameter === null) return segment === '*' ? ['By', 'Sub', 'Path'] : wordsOf(segment);
    const [written, name = ''] = parameter;
    return ['By', ...wordsOf(name), ...wordsOf(segment.slice(written.length))];
  });
  return method.toLowerCase() + (words.length === 0 ? 'Index' : words.map(capitalized).join(''));
}

function wordsOf(text: string): string[] {
  return text.split(/[^a-z0-9]+/i).filter(Boolean);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
