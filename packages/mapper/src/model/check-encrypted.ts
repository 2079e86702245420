import { mapperInputError } from '../errors/codes.ts'
import type { Column, EntityModel } from './entity-model.ts'

/**
 * Checks that every stored property of a model is encrypted or explicitly plain, and that encrypted
 * properties are never read unencrypted.
 *
 * @throws InputError (`EncryptionRequired`) for the first violation
 */
export function checkEncrypted({ title, columns }: EntityModel<object>): void {
  for (const column of columns) {
    const problem = problemOf(column)
    if (problem === undefined) continue
    const { property } = column
    throw mapperInputError({
      code: 'EncryptionRequired',
      message: `${title}.${property}: ${problem}`,
      details: { property: `${title}.${property}` },
    })
  }
}

function problemOf({ encryption, plain }: Column): string | undefined {
  if (encryption?.readsPlaintext) {
    return (
      "Its encryptionKeys({ plaintext: 'read' }) accept unencrypted values, " +
      'but the account requires encryption. Remove that option.'
    )
  }
  if (encryption !== undefined || plain) return undefined
  return (
    'It is stored unencrypted, but the account requires encryption. Encrypt it with @Encrypted(keys) ' +
    'or encrypted(keys), or mark it with @Plain() or plain() as readable by everyone.'
  )
}
