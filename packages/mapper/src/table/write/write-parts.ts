import { type Keepers, keepersIn } from '../keep/keepers.ts'
import type { TableParts } from '../table-parts.ts'
import { EntityChanges } from './entity-changes.ts'
import { WriteSender } from './write-sender.ts'

/** A table, and what writes its entities. */
export interface WriteParts<Entity extends object> extends TableParts<Entity> {
  /** Makes the changes. */
  readonly changes: EntityChanges
  /** Sends them, with the rows of the keepers that the model has now. */
  readonly sender: WriteSender
}

/**
 * Returns a table with what writes its entities. Each write is bound to its row where that matters, asks the model for its keepers, and
 * stores what they add.
 */
export function writePartsOf<Entity extends object>(parts: TableParts<Entity>): WriteParts<Entity> {
  const table = parts as unknown as TableParts<object>
  const { service, kept } = parts
  let keepers: Keepers | undefined
  let sender: WriteSender | undefined
  return {
    ...parts,
    changes: new EntityChanges(table, () => service.now()),
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
