// Which specs a mutant meets, and in which order. Jest would load every spec that imports the mutated file, in part
// only to skip all its tests; most of a run would be that.
const { readFileSync, writeFileSync } = require('node:fs');
const { basename, join, relative, sep } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

module.exports = class OwnSpecs extends Sequencer {
  constructor({ contexts, globalConfig }) {
    super();
    this.root = contexts[0].config.rootDir;
    this.titles = join(this.root, 'spec-titles.json');
    // A mutant's run has the tests that cover it as a pattern; the run before all mutants has none.
    this.covering = globalConfig.testNamePattern && new RegExp(globalConfig.testNamePattern, 'i');
    this.mutated = globalConfig.nonFlagArgs[0];
  }

  /** Those that cover the mutant: of its own folder, or all where none there does; its own spec first, then the shortest. */
  sort(tests) {
    if (!this.covering) return super.sort(tests);
    const titles = JSON.parse(readFileSync(this.titles, 'utf8'));
    const covering = tests.filter(({ path }) => titles[path]?.some((title) => this.covering.test(title)));
    const [folder] = relative(this.root, this.mutated)
      .replace(/^src\W/, '')
      .split(sep);
    const near = covering.filter(({ path }) => path.startsWith(join(this.root, 'spec', folder) + sep));
    const own = `${basename(this.mutated, '.ts')}.spec.ts`;
    return super
      .sort(near.length > 0 ? near : covering)
      .toSorted(
        (a, b) =>
          (basename(b.path) === own) - (basename(a.path) === own) || (a.duration ?? 0) - (b.duration ?? 0),
      );
  }

  cacheResults(tests, results) {
    super.cacheResults(tests, results);
    if (this.covering) return;
    const titles = results.testResults.map(({ testFilePath, testResults }) => [
      testFilePath,
      testResults.map(({ fullName }) => fullName),
    ]);
    writeFileSync(this.titles, JSON.stringify(Object.fromEntries(titles)));
  }
};
