/** A promise that is settled from outside, as `Promise.withResolvers` of Node 22 makes one. */
export function newPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
