import { InputError } from '@rowkey/odata'
import { callOptions } from '@rowkey/rest'

/**
 * Makes the error for targets that are not a list of keys.
 *
 * @param where - the call
 */
export function targetsError(where: string): InputError {
  return new InputError({
    code: 'InvalidEntityKey',
    details: { property: 'PartitionKey' },
    message: `${where} needs a list of keys, such as [['Smith', 'Jeff']].`,
  })
}

/**
 * Makes the error for an invalid only argument of `exists`. It may be options, so a misspelled option looks
 * like a key.
 *
 * @param target - the argument
 * @param table - the name of the table
 * @param cause - what reading it as a key threw; another error than of a key stays as it is
 */
export function existsError(target: object, table: string, cause: InputError): InputError {
  if (!NO_KEY_CODES.has(cause.code)) return cause
  return new InputError({
    code: 'InvalidEntityKey',
    details: cause.details,
    message:
      `exists of table ${table}: { ${Object.keys(target).join(', ')} } is neither the key of an entity nor options ` +
      `of a call. As a key: ${cause.message} As options: they are ${callOptions.names.join(', ')}.`,
    cause,
  })
}

const NO_KEY_CODES: ReadonlySet<string> = new Set([
  'InvalidEntityKey',
  'InvalidKeyPart',
  'UnknownEntityType',
])
