/** Accepts keywords of schemas that only annotate: extensions such as `x-mcp-header`, and `encrypted` of Codex. */
export const isAnnotation = (keyword: string): boolean =>
  keyword === 'encrypted' || keyword.startsWith('x-');
