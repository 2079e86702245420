import { type Keepers, keepersIn } from '../keep/keepers.ts'
import type { Mapping } from '../layers/mapping.ts'
import { onceForEach } from '../model/once-for-each.ts'
import type { TableParts } from '../rows/table-parts.ts'
import type { CheckedOperation } from './check-operation.ts'
import { WriteMaker } from './write-maker.ts'
import { WriteSender } from './writes.ts'

/** A table, and what writes its entities. */
export interface WriteParts<Entity extends object> extends TableParts<Entity> {
  /** Makes the changes. */
  readonly changes: ChangesByType
  /** Sends them, with the rows of the keepers that the model has now. */
  readonly sender: WriteSender
}

/** Makes the changes of a table, each by the type of what is written. */
export interface ChangesByType {
  /** Of an entity. */
  of(entity: object): WriteMaker
  /** Of an entity, or of a key. */
  ofKey(target: unknown): WriteMaker
  /** Of an operation. */
  by(operation: Pick<CheckedOperation, 'kind' | 'subject'>): WriteMaker
}

/**
 * Returns a table with what writes its entities. Each write is bound to its row where that matters, asks the model for its keepers, and
 * stores what they add.
 */
export function writePartsOf<Entity extends object>(parts: TableParts<Entity>): WriteParts<Entity> {
  const table = parts as unknown as TableParts<object>
  const { service, kept, types } = table
  const changesOf = onceForEach((mapping: Mapping<object>) => {
    return new WriteMaker({ ...table, mapping }, () => service.now())
  })
  let keepers: Keepers | undefined
  let sender: WriteSender | undefined
  const changes: ChangesByType = {
    of: (entity) => changesOf(types.ofEntity(entity)),
    ofKey: (target) => changesOf(types.ofKey(target)),
    by: ({ kind, subject }) =>
      kind === 'delete' || kind === 'retrieve' ? changes.ofKey(subject) : changes.of(subject),
  }
  return {
    ...parts,
    changes,
    get sender() {
      const current = keepersIn(kept)
      if (sender === undefined || keepers !== current) {
        keepers = current
        sender = new WriteSender({ ...table, keepers })
      }
      return sender
    },
  }
}
