/** Accepts keywords of schemas that only annotate: extensions such as `x-mcp-header`, and `encrypted` of Codex. */
export const isAnnotation = (keyword: string): boolean =>
  keyword === 'encrypted' || keyword.startsWith('x-');

/** The rules for schemas of tools and of responses. */
export const schemaRules = { isAnnotation, allowsRecursion: true } as const;
