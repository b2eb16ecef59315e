import type { ObservableInput } from 'rxjs';
import type { Handlers } from '../../operators/internal/handlerCall.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { addOf, deleteOf, type Notification, syncOf, updateOf } from '../../src/store/notification.ts';

/** Of what handlers by type are given, the notifications that it came from. */
export function handlersOf<T>(
  handling: (notification: Notification<T>) => ObservableInput<unknown> | undefined,
  stateOf: (key: string) => Entry<T> | undefined,
): Handlers<T> {
  return {
    onAdd: (_, { entry, initial }) => handling(addOf(entry, 0, initial)),
    onUpdate: (old, _, { key, entry }) => {
      const told = stateOf(key);
      // As if nothing had changed, where it is not what was told.
      return handling(updateOf(entry, 0, told?.object === old ? told : entry));
    },
    onDelete: (_, { entry, finalStateUnknown }) => handling(deleteOf(entry, 0, finalStateUnknown)),
    onSync: (_, { entry }) => handling(syncOf(entry, 0, () => () => undefined)),
  };
}
