import { beginsOtherwise, type EntityKey, type FilterNode } from '@rowkey/odata'
import { keptMark } from '@rowkey/rest'
import { mapperInputError } from '../errors/codes.ts'
import type { KeyCodec } from './key-codec.ts'

/** The condition that all rows meet but those that Rowkey stores beside entities. */
export const notKept: FilterNode = beginsOtherwise('RowKey', keptMark)

/** Tells whether a RowKey of a template could have the mark of kept rows, so that ranges of its keys may have kept rows. */
export function mayBeKept(rowKey: KeyCodec): boolean {
  return keptMark.startsWith(rowKey.prefix({}))
}

/**
 * Checks that the key of an entity is not that of a row which Rowkey stores beside entities.
 *
 * @throws InputError (`ReservedKey`)
 */
export function checkNotReserved({ rowKey }: EntityKey): void {
  if (!rowKey.startsWith(keptMark)) return
  throw mapperInputError({
    code: 'ReservedKey',
    message: `The RowKey ${JSON.stringify(rowKey)} begins with '${keptMark}', as only index rows, counts, markers and other rows of Rowkey itself do. Choose another RowKey.`,
    details: { property: 'RowKey' },
  })
}
