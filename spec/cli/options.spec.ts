import { type Command, parseOptions } from '../../src/cli/options.ts';
import { thrownBy } from '../kubernetes/thrown.ts';

const watched = (...args: string[]): Extract<Command, { type: 'watch' }> => {
  const command = parseOptions(args);
  if (command.type !== 'watch') throw new Error(`${args.join(' ')} asks for ${command.type}`);
  return command;
};
const messageOf = (...args: string[]): unknown => String(thrownBy(() => parseOptions(args)));

describe('parseOptions', () => {
  it('makes a demo with pods of nothing', () => {
    expect(watched()).toEqual({
      type: 'watch',
      target: { type: 'demo', pods: 3000, rate: 50 },
      kind: { apiVersion: 'v1', kind: 'Pod' },
      namespace: undefined,
      labelSelector: undefined,
      fieldSelector: undefined,
      resync: 30_000,
      verbose: false,
    });
  });

  it('takes each option, with its value behind a space or an equals sign', () => {
    const args = '--kind deploy -n shop --selector=app=web --field-selector metadata.name=a --verbose'.split(
      ' ',
    );
    expect(watched(...args, '--resync', '2.5', '--pods=7', '--rate', '0.5')).toMatchObject({
      target: { type: 'demo', pods: 7, rate: 0.5 },
      kind: { apiVersion: 'apps/v1', kind: 'Deployment' },
      namespace: 'shop',
      labelSelector: 'app=web',
      fieldSelector: 'metadata.name=a',
      resync: 2500,
      verbose: true,
    });
  });

  it('reads a cluster once a context or a kubeconfig is named, and tells nothing again there by itself', () => {
    expect(watched('--context', 'prod')).toMatchObject({
      target: { type: 'cluster', context: 'prod', kubeconfig: undefined },
      resync: undefined,
    });
    expect(watched('--kubeconfig', 'file').target).toMatchObject({ type: 'cluster', kubeconfig: 'file' });
  });

  it('switches the resync off with 0', () => {
    expect(watched('--resync', '0').resync).toBeUndefined();
  });

  it.each([['--help'], ['-h'], ['--pods', '1', '--help']])('gives help for %s %s', (...args) => {
    expect(parseOptions(args)).toEqual({ type: 'help' });
  });

  it('gives the version', () => {
    expect(parseOptions(['--version'])).toEqual({ type: 'version' });
  });

  it.each([
    [['--podz', '5'], 'option: "--podz" cannot be used; is --pods meant?'],
    [['--frobnicate'], 'option: "--frobnicate" cannot be used; `npm start -- --help`'],
    [['5'], 'argument: "5" cannot be used; there are only options, and npm wants them behind two hyphens'],
    [['--context'], '--context: "" cannot be used; it needs a value'],
    [['--context', '--verbose'], '--context: "" cannot be used; it needs a value'],
    [['--verbose=yes'], '--verbose: "yes" cannot be used; it takes no value'],
    [['--pods', '1.5'], '--pods: "1.5" cannot be used; give a whole number from 0 to 200000'],
    [['--rate', 'fast'], '--rate: "fast" cannot be used; give a number from 0 to 5000'],
    [['--resync', '-1'], '--resync: "" cannot be used; it needs a value'],
    [['--resync=-1'], '--resync: "-1" cannot be used; give a number'],
    [['--context', 'prod', '--pods', '5'], '--pods: "5" cannot be used; it is of the demo'],
  ])('refuses %j with the way out', (args, message) => {
    expect(messageOf(...args)).toContain(message);
  });
});
