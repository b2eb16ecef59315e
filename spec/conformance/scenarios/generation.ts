import { answered, mergePatch } from '../session.ts';
import { configMaps, gadgets, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

/** What `metadata.generation` counts, and what the status subresource keeps apart. */
export const generation: Scenario[] = scenariosOn([configMaps, widgets, gadgets], {
  'counts generations': async (on) => {
    await on.create(on.object('a'));
    await on.patch('a', mergePatch, { metadata: { labels: { x: '1' } } });
    await on.patch('a', mergePatch, on.subject.content('Mg=='));
    await on.patch('a', mergePatch, on.subject.content('Mg=='));
    if (on.subject !== configMaps) await on.patch('a', mergePatch, { status: { phase: 'Ready' } });
  },
  'has a status of its own, or not': async (on) => {
    const status = `${on.item('a')}/status`;
    const created = await on.create(on.object('a'));
    await on.send('GET', status);
    const changed = { ...on.subject.content('Mg=='), status: { phase: 'Ready' } };
    await on.send('PUT', status, answered(created, { labels: { x: '1' } }, changed));
    await on.send('PATCH', status, { status: { phase: 'Done' } }, { 'content-type': mergePatch });
    await on.get('a');
  },
});
