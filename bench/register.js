// Runs TypeScript as it is loaded, by swc: the compiler of TypeScript itself would stay on the heap of the contender,
// where each collection of garbage goes through it.
const { transformFileSync } = require('@swc/core');

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

require.extensions['.ts'] = (module, file) => {
  module._compile(transformFileSync(file, OPTIONS).code, file);
};
