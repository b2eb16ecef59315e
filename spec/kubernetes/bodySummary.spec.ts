import { summaryOf } from '../../src/kubernetes/bodySummary.ts';

describe('summaryOf', () => {
  it.each([
    ['', ''],
    ['  \r\n ', ''],
    ['upstream connect error\n', 'upstream connect error'],
    ['two\r\n\tlines', 'two lines'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(199)}…`],
    ['<none> is no tag', '<none> is no tag'],
  ])('makes of %j %j', (body, summary) => {
    expect(summaryOf(body)).toBe(summary);
  });

  it.each([
    '<html><body>Bad gateway</body></html>',
    '\n<!DOCTYPE html>\n<html lang="en">',
    '<HTML>',
    '<!-- proxy --><html>',
  ])('does not repeat the page %j', (body) => {
    expect(summaryOf(body)).toBe('an HTML page');
  });
});
