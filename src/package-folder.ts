/**
 * The folder of the package, where its data lie; ends with a slash. One level up from `src` as well as
 * from `dist`, which holds what is built without folders inside.
 */
export const packageFolder = new URL('../', import.meta.url);
