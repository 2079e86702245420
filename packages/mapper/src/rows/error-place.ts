import {
  DecodeError,
  type EntityKey,
  InputError,
  type RawEntity,
  unreadableRow,
} from '@rowkey/odata'
import { keyText } from '../errors/compose-errors.ts'
import { SchemaError } from '../errors/schema-error.ts'

/** The entity that an error is about. */
interface EntityPlace {
  /** The name of the table. */
  readonly table: string
  /** The key; `undefined` while it is unknown. */
  readonly key: EntityKey | undefined
}

/**
 * Names the entity in an InputError that its writing threw; another error stays as it is.
 *
 * @param error - the error
 * @param place - where the entity goes
 * @returns `InputError` with the same code, and table and key in its details
 */
export function entityError(error: unknown, { table, key }: EntityPlace): unknown {
  if (!(error instanceof InputError) || error.details.table !== undefined) return error
  if (key === undefined) return error
  if (error instanceof SchemaError) {
    const { model, issues } = error
    return new SchemaError({ model, action: 'written', issues, key, table })
  }
  const { code, message, details } = error
  const place = details.rowKey === undefined ? `entity ${keyText(key)} of ` : ''
  return new InputError({
    code,
    message: `${message} (${place}table ${table})`,
    details: { ...details, table, ...key },
    cause: error.cause ?? error,
  })
}

/**
 * Names the row in an error that was thrown while it was read. When the row does not fit its model, the
 * error is a {@link DecodeError} that names table, PartitionKey and RowKey. An InputError becomes one too,
 * because the caller's input is not at fault. Another error stays as it is.
 *
 * @param error - the error
 * @param table - the name of the table
 * @param raw - the row
 */
export function rowError(error: unknown, table: string, raw: RawEntity): unknown {
  if (!(error instanceof InputError || error instanceof DecodeError)) return error
  const { PartitionKey, RowKey } = raw
  return unreadableRow(error, { table, partitionKey: textOf(PartitionKey), rowKey: textOf(RowKey) })
}

function textOf(key: unknown): string {
  return typeof key === 'string' ? key : ''
}
