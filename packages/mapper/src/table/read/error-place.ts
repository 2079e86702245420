import {
  DecodeError,
  type EntityKey,
  InputError,
  type InputErrorDetails,
  type InputErrorOptions,
  type RawEntity,
} from '@rowkey/odata'
import { keyText } from '../../errors/compose-errors.ts'
import { SchemaError } from '../../errors/schema-error.ts'

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
  return new InputError(placed(error, error.details, { table, key }))
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
  const key = { partitionKey: textOf(raw.PartitionKey), rowKey: textOf(raw.RowKey) }
  if (error instanceof InputError) {
    return new DecodeError({ ...placed(error, {}, { table, key }), cause: error })
  }
  if (!(error instanceof DecodeError) || error.details.table !== undefined) return error
  const { details, mayHaveApplied } = error
  return new DecodeError({ ...placed(error, details, { table, key }), mayHaveApplied })
}

/** Returns the options of an error with its place. A message that names the key itself gets only the table. */
function placed(
  error: InputError | DecodeError,
  details: InputErrorDetails,
  { table, key }: { readonly table: string; readonly key: EntityKey },
): InputErrorOptions {
  const place = details.rowKey === undefined ? `entity ${keyText(key)} of ` : ''
  // Some errors of other packages have the property in a field of their own.
  const { property: own }: { readonly property?: unknown } = error as object
  const property = error.details.property ?? own
  return {
    code: error.code,
    message: `${error.message} (${place}table ${table})`,
    details: { ...details, ...(typeof property === 'string' && { property }), table, ...key },
    cause: error.cause ?? error,
  }
}

function textOf(key: unknown): string {
  return typeof key === 'string' ? key : ''
}
