import type { Session } from '../session.ts';
import type { Subject } from '../subjects.ts';

export interface Scenario {
  readonly name: string;
  readonly subject: Subject;
  run(session: Session): Promise<void>;
}

/** A version that no server here comes to. */
export const tooLarge = '999999999999';

export type Steps = Readonly<Record<string, (on: Session) => Promise<unknown>>>;

/** The same steps with each of several kinds. */
export const scenariosOn = (subjects: readonly Subject[], steps: Steps): Scenario[] =>
  subjects.flatMap((subject) =>
    Object.entries(steps).map(([what, take]) => ({
      name: `${subject.kind}: ${what}`,
      subject,
      run: async (on) => {
        await take(on);
      },
    })),
  );
