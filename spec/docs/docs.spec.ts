import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as ts from 'typescript';
import type { ApiServer } from '../../src/testing/index.ts';
import { createApiServer } from '../../src/testing/index.ts';
import { codeBlocks, pages, textOf } from './blocks.ts';
import { run } from './run.ts';

const ROOT = join(__dirname, '../..');
const blocks = pages.flatMap(codeBlocks);
const examples = blocks.filter(({ language }) => language === 'ts');

describe('the code in README and docs', () => {
  let server: ApiServer;
  let folder: string;

  beforeAll(async () => {
    server = await createApiServer({
      kinds: [
        {
          group: 'example.com',
          version: 'v1',
          kind: 'Widget',
          plural: 'widgets',
          singular: 'widget',
          namespaced: true,
        },
      ],
    });
    for (const name of ['web-1', 'web-2']) {
      server.create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', labels: { app: 'web' } },
      });
    }
    server.create({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'default' },
    });
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-docs-'));
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, server.kubeconfig());
    process.env['KUBECONFIG'] = file;
  });

  afterAll(async () => {
    delete process.env['KUBECONFIG'];
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it.each(examples.map((block) => [block.place, block] as const))('%s runs', async (_, block) => {
    const ran = await run(block);
    ran.stop();
  });

  it('type-checks', () => {
    const options: ts.CompilerOptions = {
      ...optionsOfTheTree(),
      noEmit: true,
      paths: {
        'rx-informer': [join(ROOT, 'src/index.ts')],
        'rx-informer/testing': [join(ROOT, 'src/testing/index.ts')],
      },
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    const files = new Map(
      examples.map(({ code }, index) => [join(ROOT, 'spec/docs', `example-${index}.mts`), code]),
    );
    const disk = ts.createCompilerHost(options);
    const host: ts.CompilerHost = {
      ...disk,
      fileExists: (name) => files.has(name) || disk.fileExists(name),
      readFile: (name) => files.get(name) ?? disk.readFile(name),
      getSourceFile(name, target) {
        const code = files.get(name);
        return code === undefined
          ? disk.getSourceFile(name, target)
          : ts.createSourceFile(name, code, target);
      },
    };
    const program = ts.createProgram([...files.keys()], options, host);
    const problems = ts.getPreEmitDiagnostics(program).filter(({ file }) => files.has(file?.fileName ?? ''));
    expect(ts.formatDiagnostics(problems, host)).toBe('');
  });
});

describe('README and docs', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };

  it('name only commands that there are', () => {
    const shell = pages.map(textOf).join('\n');
    const named = [...shell.matchAll(/npm (?:run (?<script>[\w:-]+)|(?<short>start|test)\b)/g)].map(
      ({ groups }) => groups?.['script'] ?? groups?.['short'] ?? '',
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(pages)('%s links only to what exists', (page) => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });
});

function optionsOfTheTree(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}
