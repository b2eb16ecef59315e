import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

/** Requests that are wrong before any object is looked at. */
export const bodies: Scenario[] = scenariosOn([configMaps, widgets], {
  'is not made of bad JSON': async (on) => {
    await on.send('POST', on.collection, '{');
    await on.send('POST', on.collection, 'nonsense');
    await on.send('POST', on.collection, '');
    await on.send('POST', on.collection, '[]');
  },
  'is not made of another kind': async (on) => {
    await on.create({ ...on.object('a'), kind: 'Other' });
    await on.create({ ...on.object('a'), apiVersion: 'other/v1' });
  },
  'need not say its kind, if built in': async (on) => {
    await on.create({ metadata: { name: 'a' } });
    await on.create({ apiVersion: on.subject.apiVersion, metadata: { name: 'b' } });
    await on.create({ kind: on.subject.kind, metadata: { name: 'c' } });
  },
  'is not made of another type of content': async (on) => {
    await on.send('POST', on.collection, JSON.stringify(on.object('a')), { 'content-type': 'text/plain' });
    await on.send('POST', on.collection, JSON.stringify(on.object('b')), {
      'content-type': 'application/json; charset=utf-8',
    });
  },
  'knows what can be done to it': async (on) => {
    await on.send('PUT', on.collection, on.object('a'));
    await on.send('PATCH', on.collection, {}, { 'content-type': 'application/merge-patch+json' });
    await on.send('POST', on.item('a'), on.object('a'));
    await on.send('PUT', on.item(''), on.object('a'));
  },
  'is of a resource that there is': async (on) => {
    await on.send('GET', on.collection.replace(on.subject.plural, 'nonsense'));
    await on.send('GET', on.collection.replace('/v1/', '/v9/'));
    await on.send('GET', `${on.item('a')}/nonsense`);
    await on.send('GET', '/apis/nonsense.example.com/v1/things');
    await on.send('GET', '/nonsense');
  },
});
