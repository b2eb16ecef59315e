import { helpText } from '../../src/cli/help.ts';
import { OPTIONS } from '../../src/cli/options.ts';

describe('helpText', () => {
  it('names every option', () => {
    for (const name of Object.keys(OPTIONS)) expect(helpText()).toContain(`--${name} `);
  });

  it('has its explanations in one column', () => {
    const columns = Object.values(OPTIONS).map(({ help }) => {
      const line = helpText()
        .split('\n')
        .find((text) => text.endsWith(`  ${help}`));
      return line?.indexOf(help);
    });
    expect(new Set(columns).size).toBe(1);
  });
});
