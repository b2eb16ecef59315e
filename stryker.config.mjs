// npm run mutation: which small breakages of the code no spec notices. By hand, not in CI; arguments are passed on:
// npm run mutation -- --mutate 'src/queue/**/*.ts'
// SPECS=queue npm run mutation -- …   asks the specs of that folder only: much faster, and stricter.
const specs = process.env['SPECS'] ?? '{queue,store,transport,codec,operators,reflector,informer}';

export default {
  mutate: ['src/{queue,store,transport,codec}/**/*.ts', 'operators/**/*.ts'],
  ignorePatterns: ['bench', 'docs', 'dist', 'coverage', '.cache', 'tsconfig*.json'],
  tempDirName: '.cache/stryker/tree',
  cleanTempDir: 'always',
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    projectType: 'custom',
    configFile: 'jest.config.js',
    config: {
      // By default those of the mutated folders and of what stands on them. The others are slow, and a mutant that only
      // they notice lacks a spec of its own.
      testMatch: [`<rootDir>/spec/${specs}/**/*.spec.ts`],
      // A million events each: not for every mutant.
      testPathIgnorePatterns: ['/node_modules/', 'stuck\\.spec'],
      testSequencer: '<rootDir>/scripts/mutation/ownSpecs.js',
      setupFiles: ['<rootDir>/scripts/mutation/endOnFailure.js'],
    },
  },
  coverageAnalysis: 'perTest',
  // A mutant of what runs once, when a module is loaded, would need every spec: minutes each.
  ignoreStatic: true,
  concurrency: 2,
  // An endless loop is ended after twice the time of its tests, and this.
  timeoutMS: 5_000,
  incremental: true,
  incrementalFile: '.cache/stryker/incremental.json',
  reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: '.cache/stryker/mutation.json' },
  htmlReporter: { fileName: '.cache/stryker/mutation.html' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: 85 },
};
