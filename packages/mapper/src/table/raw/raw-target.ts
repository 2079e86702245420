import { type EntityKey, keyOfRaw, type RawEntity } from '@rowkey/odata'
import { type ChangeName, changeBytes, perform, type TableService } from '@rowkey/rest'
import type {
  BulkChange,
  BulkKind,
  BulkOperation,
  BulkTarget,
  ItemRule,
} from '../../bulk/bulk-target.ts'
import { mapperInputError } from '../../errors/codes.ts'
import { CHANGE_OPERATIONS, withOperation } from '../write/change-operations.ts'
import { performChangeSet } from '../write/perform-change-set.ts'

/** The writes of a whole row that need no condition. */
const OPERATIONS: Partial<Record<BulkKind, ChangeName>> = {
  insert: 'insertEntity',
  insertOrMerge: 'insertOrMergeEntity',
  insertOrReplace: 'insertOrReplaceEntity',
}

/**
 * Returns a table as a bulk writer of rows needs it: rows are written and deleted as they were fetched.
 * Nothing is decoded, decrypted or checked by a model.
 *
 * @param service - the account
 * @param table - the table's name
 * @param kept - writes the rows instead, together with those of keepers
 */
export function rawTarget(service: TableService, table: string, kept?: BulkTarget): BulkTarget {
  if (kept !== undefined) return { ...kept, toOperation }
  return {
    service,
    table,
    toOperation,

    change({ kind, subject, etag }): BulkChange {
      const operation = OPERATIONS[kind]
      if (operation === undefined) {
        const input = { table, key: subject as EntityKey, body: '', etag }
        return { operation: 'deleteEntity', input, entity: undefined }
      }
      const raw = subject as RawEntity // RawTable gives rows to write, and keys to delete
      const input = { table, key: keyOfRaw(raw), body: rawText(raw) }
      return { operation, input, entity: undefined }
    },

    bytesOf: (change) => changeBytes(withOperation(change), service.endpoint),

    undigested: new Set(),

    etagOf: () => undefined,

    // Copies have no journal.
    storedEtag: async () => undefined,

    async send(changes, options) {
      const [first] = changes
      if (first === undefined || changes.length > 1) {
        return performChangeSet(service, { table, changes }, options)
      }
      return [await perform(service, CHANGE_OPERATIONS[first.operation], first.input, options)]
    },

    modify() {
      throw mapperInputError({
        code: 'InvalidOptionValue',
        message: `Rows of table ${table} are copied as they are, so a conflict cannot be modified. Use 'fail' or 'skip'.`,
      })
    },
  }
}

/** Makes the operation of a row as it was fetched. */
function toOperation(item: unknown, { kind = 'delete', etag }: ItemRule): BulkOperation {
  const raw = item as RawEntity // RawTable fetches rows
  if (kind !== 'delete') return { kind, subject: raw, etag }
  return { kind, subject: keyOfRaw(raw), etag: etag ?? etagOfRaw(raw) }
}

function etagOfRaw(raw: RawEntity): string | undefined {
  const etag = raw['odata.etag']
  return typeof etag === 'string' ? etag : undefined
}

/** The members that the service adds to a row that it returns. */
const ADDED = /^(?:odata\..*|Timestamp|Timestamp@odata\.type)$/

/**
 * Writes a row as JSON for the service, with every property and type that it has.
 *
 * @param raw - the row as it was fetched; its types are beside its values
 */
export function rawText(raw: RawEntity): string {
  const members: string[] = []
  for (const [name, value] of Object.entries(raw)) {
    if (!ADDED.test(name)) members.push(`${JSON.stringify(name)}:${valueText(value)}`)
  }
  return `{${members.join(',')}}`
}

/** JSON.stringify drops the sign of zero. */
function valueText(value: unknown): string {
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value)
}
