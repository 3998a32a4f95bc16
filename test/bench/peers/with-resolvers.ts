/** Restate's SDK needs what came with Node 22; nothing here imports it before this. */
type WithResolvers = { withResolvers?: unknown };

(Promise as WithResolvers).withResolvers ??= () => {
  let settle: unknown;
  const promise = new Promise((resolve, reject) => (settle = { resolve, reject }));
  return Object.assign({ promise }, settle);
};
