/** Paths of routes: `:name` is a parameter, and two colons are one, as in `/models/:model::generateContent`. */

const parts = /::|:(\w+)/g;

/** Writes a path, with what `write` returns for each parameter. */
export const writeRoute = (path: string, write: (name: string) => string): string =>
  path.replace(parts, (_part, name: string | undefined) =>
    name === undefined ? ':' : write(name),
  );

export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(parts)].flatMap(([, name]) => name ?? []);

/** Writes the names of parameters in braces, as OpenAPI does. */
export const routeTemplate = (path: string): string => writeRoute(path, (name) => `{${name}}`);
