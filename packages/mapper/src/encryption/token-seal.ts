import { decodeBase64Url, encodeBase64Url } from '@rowkey/odata'
import type { TokenSeal } from '@rowkey/query'
import { decodeText, encodeText } from './byte-text.ts'
import type { EncryptionKeys } from './encryption-keys.ts'
import { joinBytes, withLength } from './join-bytes.ts'

/** Keeps a token from being taken for an encrypted property, and the other way round. */
const PURPOSE = 'rowkey continuation token'

/**
 * Seals continuation tokens with AES-256-GCM under the current key of a ring. A token opens under any key
 * of the ring, for the query it was sealed for; a token that was altered does not open.
 *
 * @param keys - from `encryptionKeys`
 */
export function tokenSeal(keys: EncryptionKeys): TokenSeal {
  return {
    seal: (token, query) => encodeBase64Url(keys.seal(encodeText(token), placeOf(query))),
    open(sealed, query) {
      const bytes = decodeBase64Url(sealed)
      const opened = bytes && keys.open(bytes, placeOf(query))
      return opened && 'plaintext' in opened ? decodeText(opened.plaintext) : undefined
    },
  }
}

function placeOf(query: string): Uint8Array {
  return joinBytes(withLength(encodeText(PURPOSE)), encodeText(query))
}
