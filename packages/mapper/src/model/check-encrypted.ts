import { mapperInputError } from '../errors/codes.ts'
import type { Column, EntityModel } from './entity-model.ts'

/**
 * Checks that every stored property of a model is encrypted, or in the clear on purpose, and that none
 * that is encrypted is read in the clear.
 *
 * @throws InputError (`EncryptionRequired`) for the first that is not
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
      "It is encrypted with encryptionKeys({ plaintext: 'read' }), which reads what is in the clear, " +
      'and the account requires encryption. Take that option out.'
    )
  }
  if (encryption !== undefined || plain) return undefined
  return (
    'It is stored in the clear, and the account requires encryption. Encrypt it by @Encrypted(keys) ' +
    'or encrypted(keys), or say by @Plain() or plain() that it may be in the clear.'
  )
}
