/** The limits of JSON Schemas that callers send. The checks by them have limits in `budget.ts`. */

/**
 * All schemas of one caller's data together; the operator may raise it. A part is a keyword, a list item or a name, wherever
 * it is, also in `$defs`, `enum` and `examples`; a `$ref` is one part, and its target counts once. A pattern counts as more.
 */
export const defaultMaxParts = 2000;

/** Names and texts of all schemas together: messages quote them. */
export const maxCharacters = 256 * 1024;

/** More faults are not looked for. */
export const maxSchemaFaults = 20;

/** Levels of schemas in schemas, references followed: what a check needs of the stack. */
export const maxDepth = 100;

/** Levels of objects and arrays of the text. */
export const maxTextDepth = 40;
