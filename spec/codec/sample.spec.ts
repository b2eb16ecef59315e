import { Sample } from '../../src/codec/sample.ts';

const sampleOf = (value: unknown) => {
  const sample = new Sample();
  sample.take(value);
  return sample;
};

describe('Sample', () => {
  it('tells once that an object is another one than it was', () => {
    const object = { spec: { replicas: 1 } };
    const sample = sampleOf(object);
    expect(sample.differs(object)).toBe(false);
    object.spec.replicas = 2;
    expect(sample.differs(object)).toBe(true);
    expect(sample.differs(object)).toBe(false);
  });

  it('knows nothing of what was never taken, or cannot be written', () => {
    expect(new Sample().differs({})).toBe(false);
    const circle: { self?: object; name: string } = { name: 'a' };
    circle.self = circle;
    const sample = sampleOf(circle);
    circle.name = 'b';
    expect(sample.differs(circle)).toBe(false);
  });

  it('tells of what can be written no longer', () => {
    const object: { self?: object } = {};
    const sample = sampleOf(object);
    object.self = object;
    expect(sample.differs(object)).toBe(true);
  });
});
