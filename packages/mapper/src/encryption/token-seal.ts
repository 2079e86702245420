import { decodeBase64Url, encodeBase64Url } from '@rowkey/odata'
import type { TokenSeal } from '@rowkey/query'
import { decodeText, encodeText } from './byte-text.ts'
import { joinBytes, withLength } from './join-bytes.ts'
import type { ValueCipher } from './value-seal.ts'

/** Distinguishes tokens from encrypted properties. */
const PURPOSE = 'rowkey continuation token'

/**
 * Encrypts continuation tokens with AES-256-GCM and the current key of a ring. A token can be opened with
 * any key of the ring, only for its own query, and only if it was not altered.
 *
 * @param keys - from `encryptionKeys`
 */
export function tokenSeal(keys: Pick<ValueCipher, 'seal' | 'open'>): TokenSeal {
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
